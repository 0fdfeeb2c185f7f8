package io.stowline.projection;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one Java record maps to the properties of an entity.
 *
 * <p>A type is registered once, by {@link #of}; what cannot be mapped is refused there and never later. Each component
 * is one property of the same name, unless it is marked {@link PartitionKey}, {@link RowKey}, {@link Timestamp},
 * {@link Ignore} or renamed by {@link Property}; a component has at most one of these marks. Keys are {@code String}s;
 * a record that is only read may have one of them or none.
 *
 * <table>
 * <caption>The types of components</caption>
 * <tr><th>Java</th><th>stored as</th><th>rule</th></tr>
 * <tr><td>{@code String}</td><td>Edm.String</td><td>as it is</td></tr>
 * <tr><td>{@code boolean}, {@code Boolean}</td><td>Edm.Boolean</td><td>as it is</td></tr>
 * <tr><td>{@code byte}, {@code short}, {@code int} and boxed</td><td>Edm.Int32</td>
 *     <td>a stored number out of the component's range is refused on reading</td></tr>
 * <tr><td>{@code long}, {@code Long}</td><td>Edm.Int64</td><td>as it is</td></tr>
 * <tr><td>{@code float}, {@code double} and boxed</td><td>Edm.Double</td>
 *     <td>a stored number that a {@code float} cannot hold exactly is refused on reading</td></tr>
 * <tr><td>{@code Instant}</td><td>Edm.DateTime</td><td>cut to 100 ns towards the past: {@link EdmDateTime}</td></tr>
 * <tr><td>{@code OffsetDateTime}</td><td>Edm.DateTime</td>
 *     <td>its instant, as above; the offset is not kept, it is read back at offset Z</td></tr>
 * <tr><td>{@code UUID}</td><td>Edm.Guid</td><td>as it is</td></tr>
 * <tr><td>{@code byte[]}</td><td>Edm.Binary</td><td>the record's array is handed on, not copied</td></tr>
 * <tr><td>an enum</td><td>Edm.String</td><td>{@code name()}</td></tr>
 * <tr><td>{@code Duration}</td><td>Edm.String</td><td>ISO-8601, {@code toString()}; .NET's form is read too</td></tr>
 * <tr><td>{@code Optional} of one of these, boxed</td><td>as its type</td><td>empty is absent</td></tr>
 * </table>
 *
 * <p><b>An absent value (null, an empty {@code Optional}) is not written; in a merge a null component means
 * unchanged.</b> On reading, an absent property gives null or an empty {@code Optional}; for a primitive component it is an
 * error. Everything else ({@code BigDecimal}, nested records, collections, local dates, type variables, …) is refused with
 * a message that says what to use instead.
 *
 * <p>A record needs to be reachable: in a named module, its package is opened, or the record is public and exported.
 *
 * <p>Immutable and safe for use by many threads; one instance per class is kept for the life of that class.
 *
 * @param <T> the record
 */
public final class EntityType<T> {

    private static final ClassValue<EntityType<?>> TYPES = new ClassValue<>() {
        @Override
        protected EntityType<?> computeValue(Class<?> type) {
            return new EntityType<>(type);
        }
    };

    private final Class<T> javaType;
    private final TypeShape shape;
    private final List<String> select;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final ComponentWrite[] writes;

    private EntityType(Class<T> javaType) {
        this.javaType = javaType;
        shape = TypeScan.shape(javaType);
        select = shape.select();
        writes = shape.writes().toArray(ComponentWrite[]::new);
        for (PropertyDescriptor property : shape.properties()) {
            indexes.put(property.name(), indexes.size());
        }
    }

    /**
     * The mapping of a record class.
     *
     * @param type the record class
     * @param <T> the record
     * @return its mapping, always the same instance
     * @throws UnmappableTypeException if the class is not a record or breaks a rule
     */
    @SuppressWarnings("unchecked")
    public static <T> EntityType<T> of(Class<T> type) {
        return (EntityType<T>) TYPES.get(type);
    }

    /**
     * The record class.
     *
     * @return the class
     */
    public Class<T> javaType() {
        return javaType;
    }

    /**
     * The properties in the order of their components, without keys, timestamp and ignored components. The place in this
     * list is the property's index.
     *
     * @return the properties, unmodifiable
     */
    public List<PropertyDescriptor> properties() {
        return shape.properties();
    }

    /**
     * The names that a read asks for ({@code $select}): keys and timestamp when the record has components for them, then
     * the properties. Never empty.
     *
     * @return the names in the table, unmodifiable
     */
    public List<String> select() {
        return select;
    }

    /**
     * The index of a property.
     *
     * @param wireName the name in the table; case matters
     * @return its index, or -1 when the record has no such property
     */
    public int indexOf(String wireName) {
        Integer index = indexes.get(wireName);
        return index == null ? -1 : index;
    }

    /**
     * Whether the record has both keys, so that it can be written.
     *
     * @return true if it has components for partition key and row key
     */
    public boolean hasKeys() {
        return shape.partitionKey() != null && shape.rowKey() != null;
    }

    /**
     * Whether a component takes the server's time of the last change.
     *
     * @return true if it has a {@link Timestamp} component
     */
    public boolean hasTimestamp() {
        return shape.timestamp() != null;
    }

    /**
     * The partition key of a record. It is not checked against the rules of {@link Keys}.
     *
     * @param value the record
     * @return its key
     * @throws IllegalStateException if the record has no component for it
     * @throws IllegalArgumentException if the key is null
     */
    public String partitionKey(T value) {
        return key(shape.partitionKey(), "partition key", "PartitionKey", value);
    }

    /**
     * The row key of a record. It is not checked against the rules of {@link Keys}.
     *
     * @param value the record
     * @return its key
     * @throws IllegalStateException if the record has no component for it
     * @throws IllegalArgumentException if the key is null
     */
    public String rowKey(T value) {
        return key(shape.rowKey(), "row key", "RowKey", value);
    }

    /**
     * Hands the properties of a record to a writer, in the order of their indexes; absent ones are left out.
     *
     * @param value the record
     * @param writer takes the properties; what it throws passes through
     */
    public void write(T value, PropertyWriter writer) {
        for (ComponentWrite write : writes) {
            write.write(value, writer);
        }
    }

    /**
     * A reader that makes records of this type.
     *
     * @return a new reader, for one thread
     */
    public EntityReader<T> newReader() {
        return new EntityReader<>(shape);
    }

    /** The record's name, for messages. */
    @Override
    public String toString() {
        return "EntityType[" + javaType.getName() + "]";
    }

    private String key(@Nullable KeyComponent component, String role, String mark, T value) {
        if (component == null) {
            throw new IllegalStateException(javaType.getName() + " has no @" + mark + " component");
        }
        String key = (String) component.getter().apply(value);
        if (key == null) {
            throw new IllegalArgumentException(
                    role + ": component " + component.component() + " of " + javaType.getName() + " is null");
        }
        return key;
    }

    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException runtime ? runtime : new UndeclaredThrowableException(thrown);
    }
}
