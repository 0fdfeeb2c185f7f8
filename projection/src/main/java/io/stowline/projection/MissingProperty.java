package io.stowline.projection;

/** The rule for a read that misses the property of a primitive component. */
public enum MissingProperty {
    /** The read fails and names the property: {@link PropertyConversionException}. The default. */
    REFUSE,
    /** The component is zero or false: for tables whose older entities lack a property. */
    DEFAULT
}
