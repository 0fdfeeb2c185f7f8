package io.stowline.projection;

/** What a read does when the property of a primitive component is not there. */
public enum MissingProperty {
    /** The read fails and names the property: {@link PropertyConversionException}. The default. */
    REFUSE,
    /** The component is zero or false: for tables whose older entities lack a property. */
    DEFAULT
}
