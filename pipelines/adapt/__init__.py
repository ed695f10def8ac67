"""Adapt the embedded ALBERT to a collection's own documents: no label, no teacher, no network.

Neighbouring passages of a document are drawn together and away from those of others, two views of
one passage likewise, while the model's own former vectors hold it where it was:

* positives: the next sentence of the same document (Giorgi et al. 2021, DeCLUTR,
  https://arxiv.org/abs/2006.03659), the other half of a single sentence (Lee et al. 2019,
  https://arxiv.org/abs/1906.00300), or the same sentence with other words left out (word deletion as
  in Wang et al. 2021, TSDAE, https://arxiv.org/abs/2104.06979, in place of the dropout of Gao et al.
  2021, SimCSE, https://arxiv.org/abs/2104.08821: the embedded model has none);
* no negatives that the former model finds as near as the positive (Solatorio 2024, GISTEmbed,
  https://arxiv.org/abs/2402.16829): in a consultation many people write the same thing;
* anchors: cosine to the former vectors of the collection's whole sentences and of general ones (Li
  and Hoiem 2016, https://arxiv.org/abs/1606.09282), and the similarities among general ones (Park et
  al. 2019, https://arxiv.org/abs/1904.05068).
"""
