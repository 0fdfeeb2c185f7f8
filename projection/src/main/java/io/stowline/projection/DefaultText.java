package io.stowline.projection;

/** Reads the text of a {@link Default} the way a stored value is read. */
final class DefaultText {

    private DefaultText() {}

    /** Throws {@code IllegalArgumentException} with the reason for a text that is none of the component's type. */
    static Absence read(String text, ComponentType type, Slot.Target target) {
        Row row = new Row(target.position() + 1);
        try {
            feed(text, type.form().valueType(), Slots.of(type.form(), target), row);
        } catch (PropertyConversionException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "its default " + Shortened.quoted(text) + " is no " + type.name() + ": " + e.getMessage(), e);
        }
        return Absence.like(row, target.position(), target.primitive());
    }

    private static void feed(String text, ValueType type, Slot slot, Row row) {
        switch (type) {
            case BOOLEAN -> slot.bool(row, bool(text));
            case FLOAT -> slot.floating(row, Float.parseFloat(text));
            case DOUBLE -> slot.floating(row, Double.parseDouble(text));
            default -> slot.text(row, text);
        }
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("it is neither true nor false");
        };
    }
}
