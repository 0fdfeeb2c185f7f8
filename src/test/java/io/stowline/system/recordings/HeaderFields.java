package io.stowline.system.recordings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Header fields of a message in their order. Immutable. */
record HeaderFields(List<Field> fields) {

    HeaderFields {
        fields = List.copyOf(fields);
    }

    /** Header field as it stands on the wire. */
    record Field(String name, String value) {}

    @Nullable
    String value(String name) {
        return fields.stream()
                .filter(field -> field.name.equalsIgnoreCase(name))
                .map(Field::value)
                .findFirst()
                .orElse(null);
    }

    String value(String name, String otherwise) {
        String value = value(name);
        return value == null ? otherwise : value;
    }

    boolean contains(String name) {
        return value(name) != null;
    }

    HeaderFields with(String name, String value) {
        List<Field> all = new ArrayList<>(without(name).fields);
        all.add(new Field(name, value));
        return new HeaderFields(all);
    }

    HeaderFields without(String name) {
        return new HeaderFields(fields.stream()
                .filter(field -> !field.name.equalsIgnoreCase(name))
                .toList());
    }

    /** Returns the values of the fields that begin so, by the rest of their names. */
    Map<String, String> startingWith(String prefix) {
        Map<String, String> found = new TreeMap<>();
        for (Field field : fields) {
            if (field.name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                found.put(field.name.substring(prefix.length()), field.value);
            }
        }
        return found;
    }
}
