package io.stowline.spark.internal.schema;

/** The values that a column takes from entities. */
enum TypeMatch {
    /** The values of one stored type only, so that the service can filter by it. */
    EXACT,
    /** The values of the column's type: texts and Guids are both strings. */
    COLUMN,
    /** All values that can be widened to the column's type. */
    WIDENED
}
