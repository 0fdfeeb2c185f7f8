package io.stowline.table.internal.index;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.codec.RowReader;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The codec of index rows that are copies of their entities: all that the entity has, and its row key. */
final class CopyCodec<T> implements EntityCodec<T> {

    private static final JsonFieldPrefix INDEXED_ROW = JsonFieldPrefix.of(PropertyNames.INDEXED_ROW, EdmType.STRING);
    private static final JsonFieldPrefix INDEX = JsonFieldPrefix.of(PropertyNames.INDEX, EdmType.STRING);

    private final EntityCodec<T> entities;
    private final @Nullable List<String> select;
    private final @Nullable IndexKey key;

    private CopyCodec(EntityCodec<T> entities, @Nullable List<String> select, @Nullable IndexKey key) {
        this.entities = entities;
        this.select = select;
        this.key = key;
    }

    /** Reads copies; their values have the row keys of their entities. */
    static <T> CopyCodec<T> of(EntityCodec<T> entities) {
        List<String> names = entities.select();
        if (names == null) {
            return new CopyCodec<>(entities, null, null);
        }
        List<String> select = new ArrayList<>(names);
        select.add(PropertyNames.INDEXED_ROW);
        select.add(PropertyNames.INDEX);
        return new CopyCodec<>(entities, List.copyOf(select), null);
    }

    /** Writes a copy where an index has it. */
    CopyCodec<T> at(IndexKey place) {
        return new CopyCodec<>(entities, select, place);
    }

    @Override
    public String partitionKey(T value) {
        return entities.partitionKey(value);
    }

    @Override
    public String rowKey(T value) {
        return place().rowKey();
    }

    @Override
    public void writeProperties(T value, EntityJsonWriter out) {
        entities.writeProperties(value, out);
        out.string(INDEXED_ROW, entities.rowKey(value));
        out.string(INDEX, place().index().tag());
    }

    private IndexKey place() {
        return Objects.requireNonNull(key, "the place of the copy");
    }

    @Override
    public @Nullable List<String> select() {
        return select;
    }

    @Override
    public int mapped() {
        return entities.mapped();
    }

    @Override
    public MetadataLevel metadataLevel() {
        return entities.metadataLevel();
    }

    @Override
    public MetadataLevel listLevel() {
        return entities.listLevel();
    }

    @Override
    public void check(Filter filter) {
        entities.check(filter);
    }

    @Override
    public FilterProperty property(String name) {
        return entities.property(name);
    }

    /** Copies stand under the keys of their index, and have the properties of their entity. */
    @Override
    public Optional<Filter> narrowing() {
        return Optional.empty();
    }

    @Override
    public Optional<Filter> rows() {
        return Optional.empty();
    }

    @Override
    public @Nullable String mark() {
        return entities.mark();
    }

    @Override
    public boolean owns(String rowKey, @Nullable Object found) {
        return entities.owns(rowKey, found);
    }

    @Override
    public void checkKey(String rowKey) {
        entities.checkKey(rowKey);
    }

    @Override
    public String typeName(@Nullable T value) {
        return entities.typeName(value);
    }

    @Override
    public RowReader<T> reader() {
        return entities.reader().ofEntities();
    }
}
