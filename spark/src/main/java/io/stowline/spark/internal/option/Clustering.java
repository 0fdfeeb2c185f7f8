package io.stowline.spark.internal.option;

/** The requirement of a write that one task has all rows of a partition of the table. */
public enum Clustering {
    /** One task has a partition, however large it is. */
    REQUIRED("required"),

    /** One task has a partition, unless adaptive execution splits one that is much larger than the others. */
    PREFERRED("preferred"),

    /** Rows stay in the tasks that have them, without a shuffle. */
    NONE("none");

    private final String option;

    Clustering(String option) {
        this.option = option;
    }

    /** Returns the value of the option. */
    public String option() {
        return option;
    }
}
