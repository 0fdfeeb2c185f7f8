package io.stowline.projection;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.PropertyPaths;
import io.stowline.projection.internal.scan.TypeShape;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.RowKind;
import io.stowline.projection.internal.type.SystemComponent;
import io.stowline.projection.internal.type.SystemProperty;
import io.stowline.projection.internal.write.ComponentWriter;
import io.stowline.projection.internal.write.ComponentWriter.InstanceWriter;
import io.stowline.projection.internal.write.PropertyWriter;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of one Java type to the properties of an entity.
 *
 * <p>A type is a record, or an immutable class: one with exactly one public constructor, whose parameters are its
 * components. The value of such a component {@code name}, if it is written, is read from {@code name()}, else
 * {@code getName()} (of a boolean also {@code isName()}), else from the field {@code name}, each of the parameter's own
 * type; the class is compiled with {@code -parameters}, or has {@link Property} on each parameter. A class that is
 * filled by setters is refused. A value of a subclass is refused on writing. A class of Kotlin is such a class by its
 * primary constructor.
 *
 * <p>A type is registered once, by {@link #of}; what cannot be mapped is refused there and never later. Each component
 * is one property of the same name, unless it is marked:
 *
 * <ul>
 *   <li>{@link PartitionKey}, {@link RowKey}: the keys, which are {@code String}s; a type that is only read may have one
 *       of them or none.
 *   <li>{@link Timestamp}, {@link ETag}: filled on reading, never written.
 *   <li>{@link PropertyBag}: all properties that no other component takes.
 *   <li>{@link Ignore}: neither written nor read.
 *   <li>{@link Nested}: its own components are properties, which {@link Property} may give another prefix.
 *   <li>{@link Property}, {@link Converted}, {@link Default}: a property of another name, form, or with a value when it
 *       is absent; one component may have all three.
 * </ul>
 *
 * <p>Otherwise a component has at most one of these marks. {@link RowPrefix} or {@link Discriminator} at the type itself distinguishes its rows
 * from those of other types in the same partitions.
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
 * <tr><td>{@code BigDecimal}</td><td>Edm.String</td>
 *     <td>{@code toString()}, which is exact and keeps the scale, also when a filter compares; stored numbers are
 *     read too, a double by its shortest digits</td></tr>
 * <tr><td>{@code BigInteger}</td><td>Edm.String</td>
 *     <td>{@code toString()}; stored integers are read too, a double is refused</td></tr>
 * <tr><td>{@code Instant}</td><td>Edm.DateTime</td><td>cut to 100 ns towards the past: {@link EdmDateTime}</td></tr>
 * <tr><td>{@code OffsetDateTime}</td><td>Edm.DateTime</td>
 *     <td>its instant, as above; the offset is not kept, it is read back at offset Z</td></tr>
 * <tr><td>{@code UUID}</td><td>Edm.Guid</td><td>as it is</td></tr>
 * <tr><td>{@code byte[]}</td><td>Edm.Binary</td><td>the value's own array is handed on, not copied</td></tr>
 * <tr><td>an enum</td><td>Edm.String</td><td>{@code name()}</td></tr>
 * <tr><td>{@code Duration}</td><td>Edm.String</td><td>ISO-8601, {@code toString()}; .NET's form is read too</td></tr>
 * <tr><td>{@code LocalDate}</td><td>Edm.String</td>
 *     <td>{@code 2024-02-29}, years 0000 to 9999, so that text sorts as dates do</td></tr>
 * <tr><td>a type with a {@link Converter}</td><td>as the type that it stores</td>
 *     <td>by {@link Converted} or {@link Mapping.Builder#convert}, which go before the rules above</td></tr>
 * <tr><td>{@code Optional} of one of these, boxed</td><td>as its type</td><td>empty is absent</td></tr>
 * <tr><td>a type marked {@link Nested}</td><td>one property for each of its components</td>
 *     <td>{@code address.city} is {@code address_city}</td></tr>
 * </table>
 *
 * <p><b>An absent value (null, an empty {@code Optional}) is not written; in a merge a null component means
 * unchanged.</b> On reading, an absent property gives the value of {@link Default}, else the default argument of a constructor in Kotlin, else null or an
 * empty {@code Optional};
 * for a primitive component without a default it is an error, or zero if the mapping sets it
 * ({@link Mapping.Builder#zeroForMissing}), and so it is for a parameter in Kotlin whose type takes no null. A nested value is null when all of its properties are absent. Everything else (collections,
 * local times, type variables, …) is refused with a message that names what to use instead.
 *
 * <p>A type needs to be reachable: in a named module, its package is opened, or the type is public and exported.
 *
 * <p>Immutable and safe for use by many threads. A {@link Mapping} keeps one instance for each class, softly: when memory runs short, an
 * instance that no caller holds is dropped, and made again on the next call.
 *
 * @param <T> the Java type
 */
public final class EntityType<T> {

    private final Class<T> javaType;
    private final TypeShape shape;
    private final RowKind kind;
    private final @Nullable List<String> select;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final ComponentWriter whole;
    private final PropertyPaths paths;

    EntityType(Class<T> javaType, TypeShape shape) {
        this.javaType = javaType;
        this.shape = shape;
        kind = RowKind.of(javaType, shape.properties());
        select = selected(shape.select(), kind);
        whole = new InstanceWriter(javaType, shape.writes());
        paths = PropertyPaths.of(javaType, shape);
        for (PropertyDescriptor property : shape.properties()) {
            indexes.put(property.name(), indexes.size());
        }
    }

    private static @Nullable List<String> selected(@Nullable List<String> names, RowKind kind) {
        if (names == null || kind.isAny()) {
            return names;
        }
        List<String> more = new ArrayList<>(names);
        String mark = kind.property() == null ? PropertyNames.ROW_KEY : kind.property();
        if (!more.contains(mark)) {
            more.add(mark);
        }
        return List.copyOf(more);
    }

    /**
     * Returns the mapping of a type by the {@link Mapping#standard} rules.
     *
     * @param type the class
     * @param <T> the Java type
     * @return how it maps, the same instance for all who hold it
     * @throws UnmappableTypeException if the class is neither a record nor an immutable class, or breaks a rule
     */
    public static <T> EntityType<T> of(Class<T> type) {
        return of(type, Mapping.standard());
    }

    /**
     * Returns the mapping of a type by these rules.
     *
     * @param type the class
     * @param mapping what the type does not declare itself
     * @param <T> the Java type
     * @return how it maps, for the same class and mapping the same instance for all who hold it
     * @throws UnmappableTypeException if the class is neither a record nor an immutable class, or breaks a rule
     */
    @SuppressWarnings("unchecked") // the mapping keeps the type of a class under that class
    public static <T> EntityType<T> of(Class<T> type, Mapping mapping) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(mapping, "mapping");
        return (EntityType<T>) mapping.type(type);
    }

    /**
     * Returns the Java type.
     *
     * @return the class
     */
    public Class<T> javaType() {
        return javaType;
    }

    /**
     * Returns the properties in the order of their components, those of nested values at the place of the value. Keys, timestamp, ETag,
     * property bag and ignored components are not among them. The place in this list is the property's index.
     *
     * @return the properties, unmodifiable
     */
    @SuppressWarnings("exports") // for stowline-client
    public List<PropertyDescriptor> properties() {
        return shape.properties();
    }

    /**
     * Returns the names that a read requests ({@code $select}): keys and timestamp when the type has components for them, then the
     * properties, and what its {@link RowPrefix} or {@link Discriminator} needs.
     *
     * @return the names in the table, unmodifiable and never empty; null for all, which a type with a
     *     {@link PropertyBag} takes
     */
    public @Nullable List<String> select() {
        return select;
    }

    /**
     * Returns the index of a property.
     *
     * @param wireName the name in the table; case matters
     * @return its index, or -1 when no component has it
     */
    public int indexOf(String wireName) {
        Integer index = indexes.get(wireName);
        return index == null ? -1 : index;
    }

    /**
     * Returns the property of a component, for a filter.
     *
     * @param component the name of a component, the path of a nested one such as {@code address.city}, or the name of a
     *     property in the table; a key's component gives {@code PartitionKey} or {@code RowKey}, that of the timestamp
     *     {@code Timestamp}
     * @return the property, which is not among {@link #properties} for keys and timestamp
     * @throws IllegalArgumentException if there is none, naming those with the nearest names
     */
    @SuppressWarnings("exports") // for stowline-client
    public PropertyDescriptor property(String component) {
        return paths.find(component);
    }

    /**
     * Returns the mark by which its rows are known among those of other types.
     *
     * @return what its {@link RowPrefix} or {@link Discriminator} demands
     */
    @SuppressWarnings("exports") // for stowline-client
    public RowKind kind() {
        return kind;
    }

    /**
     * Returns whether the type has both keys, so that it can be written.
     *
     * @return true if it has components for partition key and row key
     */
    public boolean hasKeys() {
        return shape.roles().containsKey(SystemProperty.PARTITION_KEY)
                && shape.roles().containsKey(SystemProperty.ROW_KEY);
    }

    /**
     * Returns whether a component takes the server's time of the last change.
     *
     * @return true if it has a {@link Timestamp} component
     */
    public boolean hasTimestamp() {
        return shape.roles().containsKey(SystemProperty.TIMESTAMP);
    }

    /**
     * Returns whether a component takes the ETag, so that a query has to bring ETags.
     *
     * @return true if it has an {@link ETag} component
     */
    public boolean hasEtag() {
        return shape.roles().containsKey(SystemProperty.ETAG);
    }

    /**
     * Returns whether a component takes the properties that no other component takes, so that a read has to bring their types.
     *
     * @return true if it has a {@link PropertyBag} component
     */
    public boolean hasPropertyBag() {
        return shape.roles().containsKey(SystemProperty.BAG);
    }

    /**
     * Returns the partition key of a value. It is not checked against the rules of {@link KeyRules}.
     *
     * @param value the value
     * @return its key
     * @throws IllegalStateException if the type has no component for it
     * @throws IllegalArgumentException if the key is null
     */
    public String partitionKey(T value) {
        return key(SystemProperty.PARTITION_KEY, "partition key", value);
    }

    /**
     * Returns the row key of a value. It is not checked against the rules of {@link KeyRules}.
     *
     * @param value the value
     * @return its key
     * @throws IllegalStateException if the type has no component for it
     * @throws IllegalArgumentException if the key is null, or lacks the type's {@link RowPrefix}
     */
    public String rowKey(T value) {
        return kind.checkedKey(key(SystemProperty.ROW_KEY, "row key", value), javaType);
    }

    /**
     * Hands the properties of a value to a writer, in the order of their indexes, then those of the property bag; absent
     * ones are left out.
     *
     * @param value the value, of the mapped class itself; nested ones alike
     * @param writer takes the properties; what it throws passes through
     * @throws IllegalArgumentException if the value is of a subclass, whose own components would be lost, naming both
     *     classes; if a converter fails, or an entry of the property bag cannot be stored, naming the property
     */
    @SuppressWarnings("exports") // for stowline-client
    public void write(T value, PropertyWriter writer) {
        whole.write(value, writer);
    }

    /**
     * Returns a reader that makes values of this type.
     *
     * @return a new reader, for one thread
     */
    @SuppressWarnings("exports") // for stowline-client
    public EntityReader<T> newReader() {
        return new EntityReader<>(shape);
    }

    /** Returns the type's name, for messages. */
    @Override
    public String toString() {
        return "EntityType[" + javaType.getName() + "]";
    }

    private String key(SystemProperty role, String words, T value) {
        SystemComponent component = shape.roles().get(role);
        if (component == null) {
            throw new IllegalStateException(
                    javaType.getName() + " has no @" + role.mark().getSimpleName() + " component");
        }
        String key = (String) component.getter().apply(value);
        if (key == null) {
            throw new IllegalArgumentException(
                    words + ": component " + component.name() + " of " + javaType.getName() + " is null");
        }
        return key;
    }

    /**
     * Returns an error of user code that a method handle threw, as an unchecked exception.
     *
     * @param thrown the error
     * @return the exception to throw
     */
    public static RuntimeException unchecked(Throwable thrown) {
        Objects.requireNonNull(thrown, "thrown");
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException runtime ? runtime : new UndeclaredThrowableException(thrown);
    }
}
