package io.stowline.projection.internal.type;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A guide that names the alternative to a type that cannot be stored. */
public final class UnsupportedTypes {

    private static final String ALLOWED = "use String, boolean, byte, short, int, long, float, double, BigDecimal,"
            + " BigInteger, Instant, OffsetDateTime, UUID, byte[], Duration, LocalDate, an enum, an Optional of one of"
            + " these, or a Converter to one of these";

    private record Advice(Class<?> type, String instead) {}

    /** The first entry that the type extends gives the advice, so narrower types come first. */
    private static final List<Advice> ADVICE = List.of(
            new Advice(Number.class, ALLOWED),
            new Advice(char.class, "use a String"),
            new Advice(Character.class, "use a String"),
            new Advice(CharSequence.class, "use a String"),
            new Advice(Date.class, "use an Instant"),
            new Advice(Calendar.class, "use an Instant"),
            new Advice(ZonedDateTime.class, "the zone would be lost; use an Instant and a String for the zone"),
            new Advice(LocalDateTime.class, "it names no instant; use an Instant, or a String"),
            new Advice(LocalTime.class, "it names no instant; use a String or a Duration"),
            new Advice(TemporalAccessor.class, "use an Instant or a String"),
            new Advice(OptionalInt.class, "use Optional<Integer>"),
            new Advice(OptionalLong.class, "use Optional<Long>"),
            new Advice(OptionalDouble.class, "use Optional<Double>"),
            new Advice(Optional.class, "it must name one of the supported types, such as Optional<String>"),
            new Advice(
                    Collection.class,
                    "an entity has no lists; use one component per value, or a Converter to a String"),
            new Advice(
                    Map.class,
                    "an entity has no maps; use one component per value, a Converter to a String, or a Map<String,"
                            + " Object> marked @PropertyBag"),
            new Advice(Record.class, "mark it @Nested to store its components, or give it a Converter"));

    private UnsupportedTypes() {}

    public static String advice(Type declared) {
        if (declared instanceof Class<?> type) {
            return type.getTypeName() + " is not supported; " + instead(type);
        }
        if (declared instanceof ParameterizedType parameterized && parameterized.getRawType() instanceof Class<?> raw) {
            return declared.getTypeName() + " is not supported; " + instead(raw);
        }
        return "the type " + declared.getTypeName() + " is not known until run time; " + ALLOWED;
    }

    private static String instead(Class<?> type) {
        if (type.isArray()) {
            return "byte[] is the only array; use one component per value, or a Converter to a String";
        }
        for (Advice advice : ADVICE) {
            if (advice.type().isAssignableFrom(type)) {
                return advice.instead();
            }
        }
        return ALLOWED;
    }
}
