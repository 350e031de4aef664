"""Forms to what they are for: search or log-in, which field is what, on topic or not, and what must never be sent.

    Form --form_features, field_features--> names of features --linear_model--> probabilities --form_judge--> Judgement

The models are data beside this code (`form_model.msgpack`), made by `python -m benchmarks.form_training`. Pure.
"""
