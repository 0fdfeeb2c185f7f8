package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.AuthenticationException;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.PropertyKind;
import io.stowline.table.transfer.TableTransferSettings;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state serves a transfer with equal ends and settings, and no other one (MOVE-2). */
class TransferIdentityTest {

    private final TransferBench bench = new TransferBench();
    private final TableTransfers tables = bench.storage.tables();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        bench.close();
    }

    private static List<Entity> rows(int rows) {
        return IntStream.range(0, rows)
                .mapToObj(i ->
                        Entity.builder("p", "r%05d".formatted(i)).set("Age", i).build())
                .toList();
    }

    @Test
    void theStateOfACopyNamesTheAccountOfItsTarget() {
        bench.filled("source", rows(300));
        Path state = folder.resolve("copy");
        try (TransferBench one = new TransferBench();
                TransferBench other = new TransferBench()) {
            one.memory.refuseNext("POST", "$batch", 403, "AuthorizationFailure");
            Table<Entity> target = one.table("target");
            assertThatExceptionOfType(AuthenticationException.class)
                    .isThrownBy(() -> tables.copy("source", target, with -> with.state(state)));

            assertThatIllegalStateException()
                    .isThrownBy(() -> tables.copy("source", other.table("target"), with -> with.state(state)))
                    .withMessageContaining("another transfer")
                    .withMessageContaining("/target at ");
            assertThat(other.content("target")).isEmpty();
            assertThat(tables.copy("source", target, with -> with.state(state)).written())
                    .isEqualTo(300);
            assertThat(one.content("target")).isEqualTo(bench.content("source"));
        }
    }

    @Test
    void aTableOfAnotherLibraryIsNoTarget() {
        Table<?> foreign = (Table<?>) Proxy.newProxyInstance(
                Table.class.getClassLoader(),
                new Class<?>[] {Table.class},
                (proxy, method, arguments) -> method.getName().equals("as") ? proxy : null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.copy("source", foreign))
                .withMessageContaining("is no table of a Stowline");
    }

    @Test
    void theStateOfAnImportNamesTheTypesOfItsColumns() throws IOException {
        bench.table("target");
        StringBuilder text = new StringBuilder("PartitionKey,RowKey,age\r\n");
        for (int i = 0; i < 300; i++) {
            text.append("p,r%05d,%d%n".formatted(i, i));
        }
        Path file = Files.writeString(folder.resolve("rows.csv"), text);
        bench.memory.refuseNext("POST", "$batch", 403, "AuthorizationFailure");
        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> tables.importFrom(file, "target", with -> with.column("age", PropertyKind.INT32)));

        assertThatIllegalStateException()
                .isThrownBy(() -> tables.importFrom(file, "target", with -> with.column("age", PropertyKind.INT64)))
                .withMessageContaining("another transfer")
                .withMessageContaining("column \"age\" INT32");
        tables.importFrom(file, "target", with -> with.column("age", PropertyKind.INT32));
        assertThat(bench.content("target").values()).hasSize(300).allSatisfy(entity -> assertThat(entity.get("age"))
                .isInstanceOf(Integer.class));
    }

    @Test
    void eachSettingThatDecidesTheResultIsInTheIdentity() {
        List<UnaryOperator<TableTransferSettings.Builder>> settings = List.of(
                with -> with,
                with -> with.partition("a"),
                with -> with.partition("a\"; rowPrefix \"b"),
                with -> with.partition("a").rowPrefix("b"),
                with -> with.partitionPrefix("a"),
                with -> with.rowPrefix("a"),
                with -> with.mode(ImportMode.merge()),
                with -> with.mode(ImportMode.insertOnly()),
                with -> with.mode(ImportMode.replaceIfNewer("A")),
                with -> with.mode(ImportMode.replaceIfNewer("B")),
                with -> with.select("A"),
                with -> with.select("A", "B"),
                with -> with.column("A", PropertyKind.INT32),
                with -> with.column("A", PropertyKind.INT64),
                with -> with.column("B", PropertyKind.INT32));

        Set<String> identities = new HashSet<>();
        for (UnaryOperator<TableTransferSettings.Builder> each : settings) {
            TransferScope scope = new TransferScope(
                    each.apply(TableTransferSettings.builder()).build());
            identities.add(TransferIdentity.of("copy", "x", "y", scope));
        }

        assertThat(identities).hasSameSizeAs(settings);
        TransferScope scope = new TransferScope(TableTransferSettings.builder()
                .column("B", PropertyKind.INT32)
                .column("A", PropertyKind.INT32)
                .build());
        assertThat(TransferIdentity.of("copy", "x", "y", scope))
                .isEqualTo("copy of x to y; REPLACE; column \"A\" INT32; column \"B\" INT32; format 2");
    }
}
