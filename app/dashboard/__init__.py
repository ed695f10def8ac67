"""The Streamlit dashboard; it reads SQL and never loads a model."""
