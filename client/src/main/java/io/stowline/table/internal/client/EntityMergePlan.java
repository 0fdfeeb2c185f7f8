package io.stowline.table.internal.client;

import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.RowKind;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.SealedCodec;
import io.stowline.table.internal.codec.TypedCodec;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties that a merge sets, collected by either face. Immutable: each step gives a new plan.
 *
 * @param context the table
 * @param properties the keys, and the properties in their stored form
 * @param etag the required version, or null
 */
record EntityMergePlan<T>(
        TableContext<T> context,
        Entity properties,
        @Nullable String etag) {

    private static final String ANY_VERSION = "*";

    static <T> EntityMergePlan<T> of(TableContext<T> context, String partitionKey, String rowKey) {
        Entity keys = Entity.builder(partitionKey, rowKey).build();
        context.codec().checkKey(rowKey);
        return new EntityMergePlan<>(context, keys, null);
    }

    EntityMergePlan<T> set(String name, @Nullable Object value) {
        Objects.requireNonNull(name, "property");
        if (value == null) {
            throw new IllegalArgumentException("property " + name
                    + " is null: a merge cannot remove a property; read the entity and replace(StoredEntity) does");
        }
        Entity.Builder more = properties.toBuilder();
        PropertyDescriptor typed = typed(name);
        if (typed == null) {
            more.set(name, value);
        } else {
            more.set(typed.name(), typed.stored(value));
        }
        return new EntityMergePlan<>(context, more.build(), etag);
    }

    /** The component of this name, or null where any property may have any type. */
    private @Nullable PropertyDescriptor typed(String name) {
        return codec() instanceof TypedCodec<?> typed ? typed.type().property(name) : null;
    }

    /** Returns the codec of the type that the row is of. */
    private EntityCodec<?> codec() {
        return context.codec() instanceof SealedCodec<?> family ? family.ofKey(properties.rowKey()) : context.codec();
    }

    EntityMergePlan<T> ifMatch(String version) {
        Objects.requireNonNull(version, "etag");
        return new EntityMergePlan<>(
                context, properties, StoredEntity.of(properties, version).etag());
    }

    EncodedOperation update() {
        return encoded(EntityVerb.MERGE, etag == null ? ANY_VERSION : etag);
    }

    EncodedOperation insertOrMerge() {
        if (etag != null) {
            throw new IllegalStateException(
                    "insertOrMerge takes no ETag, but ifMatch was given: with one it would be an update, so call"
                            + " update()");
        }
        return encoded(EntityVerb.INSERT_OR_MERGE, null);
    }

    private EncodedOperation encoded(EntityVerb verb, @Nullable String ifMatch) {
        if (properties.properties().isEmpty()) {
            throw new IllegalStateException("a merge of (" + properties.partitionKey() + ", " + properties.rowKey()
                    + ") sets no property; set at least one");
        }
        return context.operations().encoder().encode(verb, marked(), new EntityObjectCodec(null), ifMatch);
    }

    /** An entity that the merge creates is known by its mark. */
    private Entity marked() {
        RowKind kind = codec() instanceof TypedCodec<?> typed ? typed.type().kind() : null;
        return kind == null || kind.property() == null
                ? properties
                : properties.toBuilder().set(kind.property(), kind.value()).build();
    }

    @Override
    public String toString() {
        return "Merge[" + context.operations().table() + ", " + properties + "]";
    }
}
