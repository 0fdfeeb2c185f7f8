package io.stowline.table.internal.codec;

import io.stowline.projection.EntityType;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.Mapping;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.projection.internal.edm.Abbreviation;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.type.RowKind;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField;
import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The codec of a sealed type whose permitted records share a table. The prefix of a row's key, or one property, decides which of them a row
 * is.
 */
public final class SealedCodec<T> implements EntityCodec<T> {

    private static final int MARK = 0;

    private final Class<T> family;
    private final List<TypedCodec<? extends T>> members;
    private final Map<Class<?>, TypedCodec<? extends T>> byClass = new HashMap<>();
    private final @Nullable String mark;
    private final @Nullable List<String> select;
    private final JsonFieldTable fields;

    private SealedCodec(Class<T> family, List<TypedCodec<? extends T>> members) {
        this.family = family;
        this.members = members;
        members.forEach(member -> byClass.put(member.type().javaType(), member));
        this.mark = members.get(0).mark();
        this.select = union(members);
        this.fields = new JsonFieldTable(name -> name.equals(mark) ? MARK : -1, name -> -1);
    }

    /** Returns whether a type is read as the records that it permits. */
    public static boolean isFamily(Class<?> type) {
        return type.isSealed() && Modifier.isAbstract(type.getModifiers());
    }

    /**
     * Returns the codec of a sealed interface or abstract class.
     *
     * @throws UnmappableTypeException if a permitted type cannot be mapped, or a row could be of none or of several of them
     */
    public static <T> SealedCodec<T> of(Class<T> family, Mapping mapping) {
        List<TypedCodec<? extends T>> members = new ArrayList<>();
        for (Class<? extends T> leaf : leaves(family)) {
            members.add(new TypedCodec<>(EntityType.of(leaf, mapping)));
        }
        check(family, members);
        return new SealedCodec<>(family, List.copyOf(members));
    }

    @SuppressWarnings("unchecked") // a permitted type extends its family
    private static <T> Set<Class<? extends T>> leaves(Class<T> family) {
        Set<Class<? extends T>> leaves = new LinkedHashSet<>();
        for (Class<?> permitted : family.getPermittedSubclasses()) {
            Class<? extends T> type = (Class<? extends T>) permitted;
            if (isFamily(type)) {
                leaves.addAll(leaves(type));
            } else {
                leaves.add(type);
            }
        }
        return leaves;
    }

    private static void check(Class<?> family, List<? extends TypedCodec<?>> members) {
        for (TypedCodec<?> member : members) {
            if (member.type().kind().isAny()) {
                throw refused(family, member, "has neither @RowPrefix nor @Discriminator, by which its rows are known");
            }
            for (TypedCodec<?> other : members) {
                if (other != member) {
                    check(family, member, other);
                }
            }
        }
    }

    private static void check(Class<?> family, TypedCodec<?> member, TypedCodec<?> other) {
        RowKind own = member.type().kind();
        RowKind another = other.type().kind();
        String name = other.typeName(null);
        if (!Objects.equals(own.property(), another.property())) {
            throw refused(
                    family,
                    member,
                    "and " + name + " are known by different means; one @RowPrefix each, or a"
                            + " @Discriminator of the same property, is possible");
        }
        if (own.property() == null
                ? another.prefix().startsWith(own.prefix())
                : own.value().equals(another.value())) {
            throw refused(family, member, "and " + name + " share the mark \"" + own.prefix() + own.value() + "\"");
        }
    }

    private static UnmappableTypeException refused(Class<?> family, TypedCodec<?> member, String reason) {
        return new UnmappableTypeException(
                family, null, "its permitted type " + member.typeName(null) + " " + reason, null);
    }

    private static @Nullable List<String> union(List<? extends TypedCodec<?>> members) {
        Set<String> names = new LinkedHashSet<>(List.of(PropertyNames.PARTITION_KEY, PropertyNames.ROW_KEY));
        for (TypedCodec<?> member : members) {
            List<String> own = member.select();
            if (own == null) {
                return null;
            }
            names.addAll(own);
        }
        return List.copyOf(names);
    }

    /** Returns whether each record has both keys, so that it can be written. */
    public boolean hasKeys() {
        return members.stream().allMatch(member -> member.type().hasKeys());
    }

    /**
     * Returns the type of the rows with such a key.
     *
     * @throws IllegalArgumentException if no type has the key, or keys do not decide the type
     */
    public TypedCodec<? extends T> ofKey(String rowKey) {
        if (mark != null) {
            throw new IllegalArgumentException("the row key does not decide the type of a row of "
                    + family.getSimpleName() + ": use the table as(..) one of its types");
        }
        checkKey(rowKey);
        return Objects.requireNonNull(find(rowKey, null), "the type");
    }

    private @Nullable TypedCodec<? extends T> find(String rowKey, @Nullable String found) {
        for (TypedCodec<? extends T> member : members) {
            if (member.owns(rowKey, found)) {
                return member;
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked") // the codec of the value's class
    private TypedCodec<T> of(T value) {
        TypedCodec<? extends T> member = byClass.get(value.getClass());
        if (member == null) {
            throw new IllegalArgumentException(value.getClass().getName() + " is not a permitted type of "
                    + family.getSimpleName() + " itself, so that what it adds would be lost");
        }
        return (TypedCodec<T>) member;
    }

    @Override
    public String partitionKey(T value) {
        return of(value).partitionKey(value);
    }

    @Override
    public String rowKey(T value) {
        return of(value).rowKey(value);
    }

    @Override
    public void writeProperties(T value, EntityJsonWriter out) {
        of(value).writeProperties(value, out);
    }

    @Override
    public @Nullable List<String> select() {
        return select;
    }

    @Override
    public MetadataLevel metadataLevel() {
        return highest(members.stream().map(EntityCodec::metadataLevel).collect(Collectors.toSet()));
    }

    @Override
    public MetadataLevel listLevel() {
        return highest(members.stream().map(EntityCodec::listLevel).collect(Collectors.toSet()));
    }

    private static MetadataLevel highest(Set<MetadataLevel> levels) {
        return levels.stream().max(Comparator.naturalOrder()).orElse(MetadataLevel.MINIMAL);
    }

    @Override
    public void check(Filter filter) {
        members.forEach(member -> member.check(filter));
    }

    @Override
    public FilterProperty property(String name) {
        IllegalArgumentException unknown = null;
        for (TypedCodec<? extends T> member : members) {
            try {
                return member.property(name);
            } catch (IllegalArgumentException e) {
                if (unknown != null) {
                    e.addSuppressed(unknown);
                }
                unknown = e;
            }
        }
        throw Objects.requireNonNull(unknown, "a permitted type");
    }

    /** Rows of unknown types are read, and refused: a newer release of the application may have written them. */
    @Override
    public Optional<Filter> narrowing() {
        return Optional.empty();
    }

    @Override
    public Optional<Filter> rows() {
        return Optional.of(Filter.any(
                members.stream().flatMap(member -> member.rows().stream()).toList()));
    }

    @Override
    public @Nullable String mark() {
        return mark;
    }

    @Override
    public boolean owns(String rowKey, @Nullable Object found) {
        return members.stream().anyMatch(member -> member.owns(rowKey, found));
    }

    @Override
    public void checkKey(String rowKey) {
        if (mark == null && find(rowKey, null) == null) {
            String reason = " begins with none of " + marks();
            throw new IllegalArgumentException(
                    "RowKey " + Abbreviation.quoted(rowKey) + reason, new InvalidKeyException("RowKey: it" + reason));
        }
    }

    private String marks() {
        return members.stream()
                .map(member -> member.type().kind())
                .map(kind -> "\"" + kind.prefix() + kind.value() + "\"")
                .collect(Collectors.joining(", ", "", ", the marks of " + family.getSimpleName()));
    }

    @Override
    public String typeName(@Nullable T value) {
        TypedCodec<? extends T> member = value == null ? null : byClass.get(value.getClass());
        return member == null ? family.getSimpleName() : member.typeName(null);
    }

    @Override
    public RowReader<T> reader() {
        return new Reader();
    }

    /** A reader that looks for the mark of a row first, and then reads the row as its type. */
    private final class Reader implements RowReader<T> {

        private final Map<TypedCodec<? extends T>, RowReader<? extends T>> readers = new HashMap<>();
        private @Nullable List<String> requested = List.of();
        private boolean entities;
        private boolean withoutMessages;

        @Override
        public RowReader<T> withoutMessages() {
            withoutMessages = true;
            return this;
        }

        @Override
        public RowReader<T> ofEntities() {
            entities = true;
            return this;
        }

        @Override
        public RowReader<T> requested(@Nullable List<String> names) {
            requested = names;
            return this;
        }

        @Override
        public DecodedRow<T> read(JsonCursor json) throws IOException {
            return same(next(json).read(json));
        }

        @Override
        public DecodedRow<T> read(JsonCursor json, @Nullable String header) throws IOException {
            return same(next(json).read(json, header));
        }

        private DecodedRow<T> same(DecodedRow<? extends T> row) {
            return new DecodedRow<>(row.value(), row.etag(), row.timestamp(), row.origin());
        }

        @Override
        public T value(JsonCursor json) throws IOException {
            return next(json).value(json);
        }

        private RowReader<? extends T> next(JsonCursor json) throws IOException {
            int start = json.at();
            TypedCodec<? extends T> member = member(json);
            json.back(start);
            return readers.computeIfAbsent(member, this::reader);
        }

        private RowReader<? extends T> reader(TypedCodec<? extends T> member) {
            RowReader<? extends T> all = member.reader().requested(requested);
            RowReader<? extends T> reader = withoutMessages ? all.withoutMessages() : all;
            return entities ? reader.ofEntities() : reader;
        }

        private TypedCodec<? extends T> member(JsonCursor json) throws IOException {
            String rowKey = null;
            String entityKey = null;
            String found = null;
            JsonField field = fields.start();
            for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
                field = fields.after(field, json);
                switch (field.role()) {
                    case ROW_KEY -> rowKey = json.scalar();
                    case INDEXED_ROW -> entityKey = json.scalar();
                    case PROPERTY -> found = json.scalar();
                    default -> json.skip();
                }
                if (!entities && rowKey != null && (mark == null || found != null)) {
                    break;
                }
            }
            if (rowKey == null) {
                throw new MissingKeyException(PropertyNames.ROW_KEY);
            }
            if (withoutMessages && OutboxKey.isOf(rowKey)) {
                throw new WaitingMessageException();
            }
            String key = entities && entityKey != null ? entityKey : rowKey;
            TypedCodec<? extends T> member = find(key, found);
            if (member == null) {
                throw new PropertyConversionException(
                        mark == null ? PropertyNames.ROW_KEY : mark,
                        mark == null ? key : String.valueOf(found),
                        "that of a known type; it has none of " + marks(),
                        null);
            }
            return member;
        }
    }
}
