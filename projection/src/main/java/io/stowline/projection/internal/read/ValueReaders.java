package io.stowline.projection.internal.read;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.TextParsers;
import io.stowline.projection.internal.edm.ValueType;
import io.stowline.projection.internal.type.Conversion;
import io.stowline.projection.internal.type.StoredForm;
import java.util.Base64;

/** Makes the slot that reads values of a type. */
public final class ValueReaders {

    private ValueReaders() {}

    public static ValueReader of(StoredForm form, ValueReader.Target target) {
        Conversion conversion = form.conversion();
        return conversion == null
                ? of(form.valueType(), form.javaType(), target)
                : new ConvertedReader(target, conversion, of(form.valueType(), conversion.storedType(), target));
    }

    private static ValueReader of(ValueType type, Class<?> javaType, ValueReader.Target target) {
        return switch (type) {
            case STRING -> new TextReader(target, text -> text);
            case BOOLEAN -> new BooleanReader(target);
            case BYTE -> new IntegralReader(target, Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
            case SHORT -> new IntegralReader(target, Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
            case INT -> new IntegralReader(target, Integer.MIN_VALUE, Integer.MAX_VALUE, value -> (int) value);
            case LONG -> new IntegralReader(target, Long.MIN_VALUE, Long.MAX_VALUE, value -> value);
            case FLOAT -> new FloatingReader(target, true, value -> (float) value);
            case DOUBLE -> new FloatingReader(target, false, value -> value);
            case INSTANT -> new TextReader(target, EdmDateTime::parse);
            case OFFSET_DATE_TIME -> new TextReader(target, TextParsers::offsetDateTime);
            case GUID -> new TextReader(target, TextParsers::guid);
            case BYTES -> new TextReader(target, Base64.getDecoder()::decode);
            case DURATION -> new TextReader(target, TextParsers::duration);
            case BIG_DECIMAL -> new BigDecimalReader(target);
            case BIG_INTEGER -> new BigIntegerReader(target);
            case ENUM -> new TextReader(target, TextParsers.enumConstants(javaType));
        };
    }
}
