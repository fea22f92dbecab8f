"""From a template and records to a document in which every number is bound."""
