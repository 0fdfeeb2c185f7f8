package io.stowline.spark.internal.option;

/** The treatment of a property whose values have several types. */
public enum TypeConflicts {
    /** The first such entity fails the read. */
    REFUSE("refuse"),
    /** Int32 and Int64 are long, numbers double, all else text. */
    WIDEN("widen");

    private final String option;

    TypeConflicts(String option) {
        this.option = option;
    }

    /** Returns the value of the option. */
    public String option() {
        return option;
    }
}
