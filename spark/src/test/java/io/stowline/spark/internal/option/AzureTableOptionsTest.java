package io.stowline.spark.internal.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.spark.internal.option.AccountSource.SecretPlace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AzureTableOptionsTest {

    private static final String SECRET = "AccountName=a;AccountKey=c2VjcmV0";

    private static AzureTableOptions with(String... pairs) {
        Map<String, String> options = new HashMap<>(Map.of("table", "people", "connectionStringEnv", "PEOPLE"));
        for (int i = 0; i < pairs.length; i += 2) {
            options.put(pairs[i], pairs[i + 1]);
        }
        return AzureTableOptions.of(options);
    }

    @Test
    void defaults() {
        AzureTableOptions options = with();

        assertThat(options.account()).isEqualTo(new AccountSource(SecretPlace.ENVIRONMENT, "PEOPLE", Map.of()));
        assertThat(options.partitions()).isZero();
        assertThat(options.schemaSampleSize()).isEqualTo(1_000);
        assertThat(options.conflicts()).isEqualTo(TypeConflicts.REFUSE);
        assertThat(options.writeMode()).isEqualTo(WriteMode.UPSERT_REPLACE);
        assertThat(options.createTable()).isFalse();
    }

    @Test
    @DisplayName("Spark gives names in any case")
    void namesHaveAnyCase() {
        AzureTableOptions options = AzureTableOptions.of(Map.of(
                "TABLE",
                "people",
                "connectionstringenv",
                "PEOPLE",
                "SchemaConflicts",
                "Widen",
                "partitionprefixes",
                "b,a"));

        assertThat(options.conflicts()).isEqualTo(TypeConflicts.WIDEN);
        assertThat(options.partitionPrefixes()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connectionString",
                "accountKey",
                "sas",
                "sasToken",
                "credential.password",
                "credential.clientSecret",
                "fs.azure.account.key"
            })
    @DisplayName("an option that would be a secret is refused with the way out, and its value is not shown")
    void plainSecretsAreRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(name, SECRET))
                .withMessageContaining("the option " + name.toLowerCase(Locale.ROOT) + " would be a secret")
                .withMessageContaining("connectionStringFile")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("c2VjcmV0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connectionStringEnv",
                "connectionStringFile",
                "credentialClass",
                "table",
                "partitions",
                "schemaSampleSize",
                "entitiesPerSecond",
                "splits",
                "partitionPrefixes",
                "schemaConflicts",
                "guidColumns",
                "decimals",
                "writeMode",
                "clustering",
                "createTable",
                "writeId",
                "markerColumn"
            })
    @DisplayName("a secret in the place of another value is shown neither by the message nor by a cause")
    void misplacedSecretsAreNotShown(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        with(name, name.equals("splits") || name.startsWith("partitionP") ? SECRET + ",A" : SECRET))
                .withMessageContaining(name)
                .satisfies(e -> assertThat(e).hasNoCause().hasMessageNotContaining("c2VjcmV0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "partitons; 3; azuretable has no option partitons; ",
                "partitions; many; partitions is 1 to 10000, not \"many\"",
                "partitions; 0; partitions is 1 to 10000, not \"0\"",
                "schemaConflicts; no; schemaConflicts is refuse, widen, not \"no\"",
                "writeMode; overwrite; writeMode is upsert-replace, upsert-merge, insert, insert-ignore, delete, not"
                        + " \"overwrite\"",
                "createTable; yes; createTable is true, false, not \"yes\"",
                "splits; b,a; splits are partition keys in ascending order, but \"a\" follows \"b\"",
                "partitionPrefixes; a,ab; partitionPrefixes: \"ab\" begins with \"a\", whose entities would be read"
                        + " twice",
                "partitionPrefixes; 'a,,b'; partitionPrefixes has an empty prefix",
                "partitions; 99999999999999999999; partitions is 1 to 10000",
                "markerColumn; two words; markerColumn is the name of a property other than PartitionKey, RowKey and"
                        + " Timestamp, a letter or _ and at most 254 letters, digits and _; the value that is set does"
                        + " not fit",
                "markerColumn; rowkey; other than PartitionKey, RowKey and Timestamp",
                "table; a; the name of a table, a letter and 2 to 62 letters and digits; the value that is set does"
                        + " not",
                "partitionPrefixes; 'a, b'; partitionPrefixes: \" b\" begins or ends with a space",
                "splits; 'a ,b'; splits: \"a \" begins or ends with a space",
                "guidColumns; 'a,,b'; guidColumns has names of columns, between commas",
                "provider; azuretable; azuretable has no catalog, so that CREATE TABLE and saveAsTable are not"
                        + " possible",
                "option.table; people; use CREATE TEMPORARY VIEW name USING azuretable OPTIONS (...)",
                "writeId; a/b; writeId is 1 to 100 letters, digits and _ . : -; the value that is set does not fit",
                "writeId; a; writeId is for writeMode insert with clustering required, but they are upsert-replace and"
                        + " required",
                "path; people; path is no option of azuretable",
                "credential.tenant; x; the options credential.* are for credentialClass, which is not set",
                "credentialClass; a.B; one of connectionStringEnv, connectionStringFile and credentialClass, but 2 of"
                        + " them are set"
            })
    void wrongOptionsAreNamed(String name, String value, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> with(name, value)).withMessageContaining(message);
    }

    @Test
    void writeIdsAreForInserts() {
        assertThat(with("writeMode", "insert", "writeId", "2026-11-29T03:04").writeId())
                .isEqualTo("2026-11-29T03:04");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with("writeMode", "insert", "writeId", "a", "clustering", "none"))
                .withMessageContaining("insert and none");
    }

    @Test
    @DisplayName("entries on lines keep their spaces, and lines may end as on Windows")
    void listsOnLines() {
        assertThat(with("splits", " a\r\nb ,\r\nc").splits()).containsExactly(" a", "b ,", "c");
        assertThat(with("partitionPrefixes", " ").partitionPrefixes()).containsExactly(" ");
    }

    @Test
    void theTableAndTheAccountAreNeeded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AzureTableOptions.of(Map.of("connectionStringEnv", "PEOPLE")))
                .withMessageContaining("table is missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AzureTableOptions.of(Map.of("table", "people")))
                .withMessageContaining("but 0 of them are set");
    }

    @Test
    @DisplayName("an executor gets the name of a secret's place only")
    void optionsAreSerialized() throws Exception {
        AzureTableOptions options = with("splits", "a,b", "guidColumns", "g");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(options);

        assertThat(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject())
                .isEqualTo(options);
        assertThat(bytes.toString(StandardCharsets.ISO_8859_1)).contains("PEOPLE");
        assertThat(options.toString()).isEqualTo("AzureTableOptions[table=people, account=connectionStringEnv PEOPLE]");
    }
}
