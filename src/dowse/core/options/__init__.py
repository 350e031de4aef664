"""The options of a job by what they are about, how they are shown, and what their texts must look like."""
