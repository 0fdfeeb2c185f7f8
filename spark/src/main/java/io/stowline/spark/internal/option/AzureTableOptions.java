package io.stowline.spark.internal.option;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of a read or a write, which are checked when Spark makes the table. Immutable; an executor gets them with its tasks.
 *
 * @param table the table's name
 * @param account the place of the account and its credential
 * @param partitions the wanted number of tasks of a read; 0 for the choice of the planner
 * @param splits the partition keys that divide a read
 * @param partitionPrefixes the beginnings of the partition keys that a read has
 * @param schemaSampleSize the entities that show the schema
 * @param conflicts the treatment of properties with values of several types
 * @param guidColumns the columns of text that are stored as {@code Edm.Guid}
 * @param decimalsAsText whether columns of decimals are stored as text
 * @param writeMode the effect of rows on entities that exist
 * @param markerColumn the property that marks rows of the mode insert
 * @param writeId the id of a write of the mode insert that a job begins again; empty for that of Spark
 * @param clustering the requirement that one task has a partition
 * @param createTable whether a write creates the table
 * @param entitiesPerSecond the bound of all tasks of a write; 0 for none
 */
public record AzureTableOptions(
        String table,
        AccountSource account,
        int partitions,
        List<String> splits,
        List<String> partitionPrefixes,
        int schemaSampleSize,
        TypeConflicts conflicts,
        Set<String> guidColumns,
        boolean decimalsAsText,
        WriteMode writeMode,
        String markerColumn,
        String writeId,
        Clustering clustering,
        boolean createTable,
        int entitiesPerSecond)
        implements Serializable {

    private static final String CREDENTIAL = "credential.";
    private static final Set<String> OPTIONS = Set.of(
            "table",
            "connectionStringEnv",
            "connectionStringFile",
            "credentialClass",
            "partitions",
            "splits",
            "partitionPrefixes",
            "schemaSampleSize",
            "schemaConflicts",
            "guidColumns",
            "decimals",
            "writeMode",
            "markerColumn",
            "writeId",
            "clustering",
            "createTable",
            "entitiesPerSecond");

    /** Options that Spark adds. */
    private static final Set<String> OF_SPARK = Set.of("checkpointLocation", "queryName");

    private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9]{2,62}");
    private static final Pattern PROPERTY =
            Pattern.compile("(?!(?i:PartitionKey|RowKey|Timestamp)$)[\\p{L}_][\\p{L}\\p{N}_]{0,254}");
    private static final Pattern WRITE_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}");
    private static final Pattern COLUMN = Pattern.compile("[^\\s=;:/]{1,255}");
    private static final Pattern SECRET =
            Pattern.compile("(?i).*(connection_?string|key|sas|secret|token|password|signature)$");
    private static final int MAX_PARTITIONS = 10_000;
    private static final int MAX_SAMPLE = 1_000_000;
    private static final int MAX_RATE = 10_000_000;
    private static final int DEFAULT_SAMPLE = 1_000;

    /** Copies the lists. */
    public AzureTableOptions {
        splits = List.copyOf(splits);
        partitionPrefixes = List.copyOf(partitionPrefixes);
        guidColumns = Set.copyOf(guidColumns);
    }

    /**
     * Parses options by their names in any case.
     *
     * @throws IllegalArgumentException naming the option that is unknown, missing or wrong; a secret is never shown
     */
    public static AzureTableOptions of(Map<String, String> given) {
        OptionMap options = new OptionMap(given);
        refuseSecrets(options);
        refuseUnknown(options);
        String table = options.named("table", TABLE, "the name of a table, a letter and 2 to 62 letters and digits");
        if (table == null) {
            throw new IllegalArgumentException("table is missing; name the table: .option(\"table\", \"people\")");
        }
        List<String> splits = ascending(options.keys("splits"));
        List<String> prefixes = prefixes(options.keys("partitionPrefixes"));
        if (!splits.isEmpty() && !prefixes.isEmpty()) {
            throw new IllegalArgumentException(
                    "splits and partitionPrefixes are both set; a read is divided by one of them");
        }
        String marker = options.named(
                "markerColumn",
                PROPERTY,
                "the name of a property other than PartitionKey, RowKey and Timestamp, a letter or _ and at most 254"
                        + " letters, digits and _");
        String id = options.named("writeId", WRITE_ID, "1 to 100 letters, digits and _ . : -");
        AzureTableOptions all = new AzureTableOptions(
                table,
                AccountSource.of(options, options.under(CREDENTIAL)),
                options.number("partitions", 1, MAX_PARTITIONS, 0),
                splits,
                prefixes,
                options.number("schemaSampleSize", 1, MAX_SAMPLE, DEFAULT_SAMPLE),
                options.choice("schemaConflicts", TypeConflicts.values(), TypeConflicts::option, TypeConflicts.REFUSE),
                Set.copyOf(options.names("guidColumns", COLUMN)),
                options.choice("decimals", new String[] {"refuse", "text"}, choice -> choice, "refuse")
                        .equals("text"),
                options.choice("writeMode", WriteMode.values(), WriteMode::option, WriteMode.UPSERT_REPLACE),
                marker == null ? "StowlineWriteId" : marker,
                id == null ? "" : id,
                options.choice("clustering", Clustering.values(), Clustering::option, Clustering.REQUIRED),
                options.choice("createTable", new Boolean[] {true, false}, String::valueOf, false),
                options.number("entitiesPerSecond", 1, MAX_RATE, 0));
        all.checkWriteId();
        return all;
    }

    /** Without clustering, each task has an id for itself, which another division into tasks does not keep. */
    private void checkWriteId() {
        if (!writeId.isEmpty() && (writeMode != WriteMode.INSERT || clustering != Clustering.REQUIRED)) {
            throw new IllegalArgumentException("writeId is for writeMode insert with clustering required, but they are "
                    + writeMode.option() + " and " + clustering.option() + "; leave it out");
        }
    }

    private static void refuseSecrets(OptionMap options) {
        for (String name : options.names()) {
            if (SECRET.matcher(name).matches()) {
                throw new IllegalArgumentException("the option " + name + " would be a secret that Spark's UI, logs and"
                        + " plans can show; give connectionStringEnv (the name of an environment variable of driver and"
                        + " executors), connectionStringFile (the path of a file on each of them) or credentialClass"
                        + " (a class that implements io.stowline.spark.TableCredentials)");
            }
        }
    }

    private static void refuseUnknown(OptionMap options) {
        if (options.get("provider") != null || options.names().stream().anyMatch(name -> name.startsWith("option."))) {
            throw new IllegalArgumentException("azuretable has no catalog, so that CREATE TABLE and saveAsTable are not"
                    + " possible: use CREATE TEMPORARY VIEW name USING azuretable OPTIONS (...), or save() and load()");
        }
        if (options.get("path") != null) {
            throw new IllegalArgumentException("path is no option of azuretable: give the table's name as the option"
                    + " table, and call load(), save() or start() without a path");
        }
        Set<String> unknown = options.unknown(OPTIONS, CREDENTIAL);
        OF_SPARK.forEach(name -> unknown.removeIf(name::equalsIgnoreCase));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("azuretable has no option " + String.join(", ", unknown) + "; it has "
                    + String.join(", ", new TreeSet<>(OPTIONS)) + " and " + CREDENTIAL + "*");
        }
    }

    private static List<String> ascending(List<String> splits) {
        for (int i = 1; i < splits.size(); i++) {
            if (splits.get(i - 1).compareTo(splits.get(i)) >= 0) {
                throw new IllegalArgumentException("splits are partition keys in ascending order, but "
                        + OptionMap.shown(splits.get(i)) + " follows " + OptionMap.shown(splits.get(i - 1)));
            }
        }
        return splits;
    }

    /** Sorts prefixes and refuses one that begins with another: its entities would be read twice. */
    private static List<String> prefixes(List<String> prefixes) {
        List<String> sorted = new ArrayList<>(prefixes);
        sorted.sort(null);
        @Nullable String before = null;
        for (String prefix : sorted) {
            if (prefix.isEmpty()) {
                throw new IllegalArgumentException(
                        "partitionPrefixes has an empty prefix; leave the option out for all");
            }
            if (before != null && prefix.startsWith(before)) {
                throw new IllegalArgumentException("partitionPrefixes: " + OptionMap.shown(prefix) + " begins with "
                        + OptionMap.shown(before) + ", whose entities would be read twice; remove one");
            }
            before = prefix;
        }
        return sorted;
    }

    @Override
    public String toString() {
        return "AzureTableOptions[table=" + table + ", account=" + account + "]";
    }
}
