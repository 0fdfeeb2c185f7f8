package io.stowline.spark.internal.option;

/** The effect of a row on an entity that has its keys. */
public enum WriteMode {
    UPSERT_REPLACE("upsert-replace"),
    UPSERT_MERGE("upsert-merge"),
    INSERT("insert"),
    INSERT_IGNORE("insert-ignore"),
    DELETE("delete");

    private final String option;

    WriteMode(String option) {
        this.option = option;
    }

    /** Returns the value of the option. */
    public String option() {
        return option;
    }
}
