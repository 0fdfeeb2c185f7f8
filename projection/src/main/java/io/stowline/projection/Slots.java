package io.stowline.projection;

import java.util.Base64;

/** Makes the slot that reads values of a type. */
final class Slots {

    private Slots() {}

    static Slot of(StoredForm form, Slot.Target target) {
        Conversion conversion = form.conversion();
        return conversion == null
                ? of(form.valueType(), form.javaType(), target)
                : new ConvertedSlot(target, conversion, of(form.valueType(), conversion.storedType(), target));
    }

    private static Slot of(ValueType type, Class<?> javaType, Slot.Target target) {
        return switch (type) {
            case STRING -> new TextSlot(target, text -> text);
            case BOOLEAN -> new BooleanSlot(target);
            case BYTE -> new IntegralSlot(target, Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
            case SHORT -> new IntegralSlot(target, Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
            case INT -> new IntegralSlot(target, Integer.MIN_VALUE, Integer.MAX_VALUE, value -> (int) value);
            case LONG -> new IntegralSlot(target, Long.MIN_VALUE, Long.MAX_VALUE, value -> value);
            case FLOAT -> new FloatingSlot(target, true, value -> (float) value);
            case DOUBLE -> new FloatingSlot(target, false, value -> value);
            case INSTANT -> new TextSlot(target, EdmDateTime::parse);
            case OFFSET_DATE_TIME -> new TextSlot(target, TextForms::offsetDateTime);
            case GUID -> new TextSlot(target, TextForms::guid);
            case BYTES -> new TextSlot(target, Base64.getDecoder()::decode);
            case DURATION -> new TextSlot(target, TextForms::duration);
            case BIG_DECIMAL -> new BigDecimalSlot(target);
            case BIG_INTEGER -> new BigIntegerSlot(target);
            case ENUM -> new TextSlot(target, TextForms.enumConstants(javaType));
        };
    }
}
