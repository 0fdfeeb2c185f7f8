package io.stowline.projection;

/**
 * One property of a mapped record. Immutable.
 *
 * @param name the property's name in the table
 * @param type the type in which it is stored
 * @param component the record component that it belongs to
 * @param optional whether the property may be absent: true for every component but a primitive one
 */
public record PropertyDescriptor(String name, EdmType type, String component, boolean optional) {}
