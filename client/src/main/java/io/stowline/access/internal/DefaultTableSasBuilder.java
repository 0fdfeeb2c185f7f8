package io.stowline.access.internal;

import io.stowline.access.SharedAccessSignature;
import io.stowline.access.TableSasBuilder;
import io.stowline.projection.internal.edm.KeyRules;
import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A builder for one table or a range of its keys. */
public final class DefaultTableSasBuilder<R> extends DefaultSasBuilder<TableSasBuilder<R>, R>
        implements TableSasBuilder<R> {

    private final String table;

    /** Begins a signature for a table. */
    public DefaultTableSasBuilder(SasSigner signer, String table, Function<Mono<SharedAccessSignature>, R> result) {
        super(signer, "raud", result);
        this.table = table;
        set("tn", table);
    }

    @Override
    TableSasBuilder<R> self() {
        return this;
    }

    @Override
    Mono<SharedAccessSignature> sign(SasSigner signer, Map<String, String> complete, @Nullable Instant end) {
        String resource = "/table/" + signer.accountName() + "/" + table.toLowerCase(Locale.ROOT);
        return signer.sign(URI.create(signer.endpoint() + "/" + table), new SasFields(resource, "", complete), end);
    }

    @Override
    public TableSasBuilder<R> canQuery() {
        return permit('r');
    }

    @Override
    public TableSasBuilder<R> canInsert() {
        return permit('a');
    }

    @Override
    public TableSasBuilder<R> canUpdate() {
        return permit('u');
    }

    @Override
    public TableSasBuilder<R> canDelete() {
        return permit('d');
    }

    @Override
    public TableSasBuilder<R> partitions(String first, String last) {
        KeyRules.check("first", first);
        KeyRules.check("last", last);
        checkOrder(first.compareTo(last), first, last);
        unset("srk");
        unset("erk");
        set("spk", first);
        return set("epk", last);
    }

    @Override
    public TableSasBuilder<R> entities(
            String firstPartitionKey, String firstRowKey, String lastPartitionKey, String lastRowKey) {
        KeyRules.check("firstPartitionKey", firstPartitionKey);
        KeyRules.check("firstRowKey", firstRowKey);
        KeyRules.check("lastPartitionKey", lastPartitionKey);
        KeyRules.check("lastRowKey", lastRowKey);
        int partitions = firstPartitionKey.compareTo(lastPartitionKey);
        checkOrder(
                partitions == 0 ? firstRowKey.compareTo(lastRowKey) : partitions,
                firstPartitionKey + "/" + firstRowKey,
                lastPartitionKey + "/" + lastRowKey);
        set("spk", firstPartitionKey);
        set("srk", firstRowKey);
        set("epk", lastPartitionKey);
        return set("erk", lastRowKey);
    }

    private static void checkOrder(int order, String first, String last) {
        if (order > 0) {
            throw new IllegalArgumentException(
                    "the range of keys is empty: it begins at " + first + " and ends at " + last);
        }
    }

    @Override
    public TableSasBuilder<R> byPolicy(String policy) {
        return policy(policy);
    }
}
