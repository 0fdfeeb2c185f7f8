package io.stowline.spring.boot.repository;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.repository.KeyProperty.IndexedProperty;
import io.stowline.spring.boot.repository.KeyProperty.PartOfKey;
import io.stowline.spring.boot.repository.KeyProperty.WholeKey;
import io.stowline.table.Index;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * The properties that the names of derived methods may have: whole keys, parts of composite keys and indexes. Immutable.
 *
 * @param <T> the type of the entities
 */
final class KeyProperties<T> {

    private final Class<?> entities;
    private final @Nullable KeyFormat partitionKey;
    private final @Nullable KeyFormat rowKey;
    private final Map<String, KeyProperty<T>> properties = new LinkedHashMap<>();
    private final Set<String> components;

    KeyProperties(
            Class<?> entities,
            @Nullable KeyFormat partitionKey,
            @Nullable KeyFormat rowKey,
            List<Index<T, ?>> indexes) {
        this.entities = entities;
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.components =
                components(entities).map(NamedComponent::name).collect(Collectors.toCollection(LinkedHashSet::new));
        for (boolean partition : new boolean[] {true, false}) {
            add(new WholeKey<>(keyOf(partition ? PartitionKey.class : RowKey.class), partition));
            add(new WholeKey<>(partition ? "partitionKey" : "rowKey", partition));
        }
        addParts(partitionKey, true);
        addParts(rowKey, false);
        indexes.forEach(this::addIndex);
    }

    /** A component of a record, or a parameter of the constructor of an immutable class. */
    private record NamedComponent(String name, AnnotatedElement element) {}

    private void add(KeyProperty<T> property) {
        if (!property.name().isEmpty()) {
            properties.putIfAbsent(property.name(), property);
        }
    }

    private void addParts(@Nullable KeyFormat format, boolean partition) {
        if (format != null) {
            List<String> names = format.names();
            for (int i = 0; i < names.size(); i++) {
                add(new PartOfKey<>(names.get(i), partition, i));
            }
        }
    }

    @SuppressWarnings("unchecked") // DerivedMethods checks the type of the values by a trial
    private void addIndex(Index<T, ?> index) {
        String name = components.stream()
                .filter(component -> component.equalsIgnoreCase(index.name()))
                .findFirst()
                .orElseGet(() -> StringUtils.uncapitalize(index.name()));
        add(new IndexedProperty<>(name, (Index<T, Object>) index));
    }

    /** Returns the component with a mark; the empty text if there is none, or types of one interface name it differently. */
    private String keyOf(Class<? extends Annotation> mark) {
        Set<String> names = components(entities)
                .filter(component -> component.element().isAnnotationPresent(mark))
                .map(NamedComponent::name)
                .collect(Collectors.toSet());
        return names.size() == 1 ? names.iterator().next() : "";
    }

    private static Stream<NamedComponent> components(Class<?> type) {
        if (type.isRecord()) {
            return components(type.getRecordComponents(), type.getDeclaredConstructors());
        }
        if (type.isSealed()) {
            return Arrays.stream(type.getPermittedSubclasses()).flatMap(KeyProperties::components);
        }
        return Arrays.stream(type.getConstructors())
                .filter(constructor -> !constructor.isSynthetic()) // of a Kotlin class with default arguments
                .flatMap(constructor -> Arrays.stream(constructor.getParameters()))
                .map((Parameter parameter) -> new NamedComponent(parameter.getName(), parameter));
    }

    /** Returns each component with its parameter: a record of Kotlin has its annotations at the parameters alone. */
    private static Stream<NamedComponent> components(RecordComponent[] components, Constructor<?>[] constructors) {
        List<Class<?>> types = Arrays.stream(components)
                .<Class<?>>map(RecordComponent::getType)
                .toList();
        return Arrays.stream(constructors)
                .filter(constructor -> types.equals(List.of(constructor.getParameterTypes())))
                .flatMap(constructor -> IntStream.range(0, components.length)
                        .boxed()
                        .flatMap(index -> {
                            String name = components[index].getName();
                            return Stream.of(
                                    new NamedComponent(name, components[index]),
                                    new NamedComponent(name, constructor.getParameters()[index]));
                        }));
    }

    /** Returns the properties that a text begins with, those of the longest names first; the names of indexes in any case. */
    List<KeyProperty<T>> at(String text) {
        return properties.values().stream()
                .filter(property -> property instanceof IndexedProperty
                        ? text.regionMatches(
                                true, 0, property.name(), 0, property.name().length())
                        : text.startsWith(StringUtils.capitalize(property.name())))
                .sorted(Comparator.comparingInt(
                                (KeyProperty<T> property) -> property.name().length())
                        .reversed())
                .toList();
    }

    /** Returns whether the entities have a component of this name. */
    boolean isComponent(String name) {
        return components.contains(name);
    }

    /** Returns the number of parts of a key; 0 without a format. */
    int parts(boolean partition) {
        KeyFormat format = format(partition);
        return format == null ? 0 : format.names().size();
    }

    @Nullable
    KeyFormat format(boolean partition) {
        return partition ? partitionKey : rowKey;
    }

    /** Returns the names that derived methods may have, for messages. */
    String names() {
        return String.join(", ", properties.keySet());
    }

    String entity() {
        return entities.getSimpleName();
    }
}
