package io.stowline.projection.internal.scan;

import io.stowline.projection.internal.edm.Abbreviation;
import io.stowline.projection.internal.type.PropertyDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A finder of the properties of a type by the paths of their components and by their names in the table. Immutable. */
public final class PropertyPaths {

    private static final int MAX_NEAR = 3;

    private final Class<?> type;
    private final Map<String, PropertyDescriptor> known;

    private PropertyPaths(Class<?> type, Map<String, PropertyDescriptor> known) {
        this.type = type;
        this.known = known;
    }

    /** Returns the paths of a type. A path wins over the name of another component's property. */
    public static PropertyPaths of(Class<?> type, TypeShape shape) {
        List<PropertyDescriptor> all = new ArrayList<>(shape.systemProperties());
        all.addAll(shape.properties());
        Map<String, PropertyDescriptor> known = new LinkedHashMap<>();
        all.forEach(property -> known.put(property.component(), property));
        all.forEach(property -> known.putIfAbsent(property.name(), property));
        return new PropertyPaths(type, known);
    }

    public PropertyDescriptor find(String name) {
        PropertyDescriptor found = known.get(name);
        if (found == null) {
            throw new IllegalArgumentException(type.getName() + " has no property " + Abbreviation.quoted(name)
                    + "; near are " + String.join(", ", near(name, known.keySet())));
        }
        return found;
    }

    private static List<String> near(String name, Collection<String> names) {
        return names.stream()
                .sorted(Comparator.comparingInt(other -> distance(name, other)))
                .limit(MAX_NEAR)
                .toList();
    }

    private static int distance(String left, String right) {
        int[] before = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            before = row(before, left.charAt(i - 1), i, right);
        }
        return before[right.length()];
    }

    private static int[] row(int[] before, char c, int i, String right) {
        int[] row = new int[before.length];
        row[0] = i;
        for (int j = 1; j < row.length; j++) {
            boolean same = Character.toLowerCase(c) == Character.toLowerCase(right.charAt(j - 1));
            int replaced = before[j - 1] + (same ? 0 : 1);
            row[j] = Math.min(replaced, 1 + Math.min(before[j], row[j - 1]));
        }
        return row;
    }
}
