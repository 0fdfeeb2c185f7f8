package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.DeadlineExceededException;
import io.stowline.table.Entity;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.operation.TableHolder;
import io.stowline.table.transfer.ImportMode;
import io.stowline.transport.internal.error.FailureFacts;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowWriterTest {

    private final TransferBench bench = new TransferBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Passes calls on, but for those that are intercepted. */
    private static <T> T proxy(Class<?> face, T target, Function<Method, Object> interceptor) {
        @SuppressWarnings("unchecked") // a proxy of the face that the target has
        T proxy =
                (T) Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, (self, method, arguments) -> {
                    Object intercepted = interceptor.apply(method);
                    return intercepted != null ? intercepted : method.invoke(target, arguments);
                });
        return proxy;
    }

    @Test
    void aTransactionThatHadNoTimeToBeSentIsTriedAgain() {
        Table<Entity> target = bench.table("target");
        TableContext<?> context = (TableContext<?>) ((TableHolder<?>) target).member();
        AtomicInteger commits = new AtomicInteger();
        Table<Entity> all = target.withScanPolicy(ScanPolicy.ALLOW);
        Table<Entity> late = proxy(Table.class, all, method -> switch (method.getName()) {
            case "transaction" -> lateTransaction(all.transaction("p"), commits);
            default -> null;
        });
        Table<Entity> given =
                proxy(Table.class, target, method -> method.getName().equals("withScanPolicy") ? late : null);
        Entity entity = Entity.builder("p", "1").set("A", 1).build();
        byte[] line = new EntityLines().line(entity);
        RowGroup group = new RowGroup();
        group.add(FileEntity.decoded(new FileRow(1, line), entity, line));

        RowWriter.GroupResult result =
                new RowWriter(given, ImportMode.insertOnly(), false, context.service()).write(group);

        assertThat(commits).hasValue(2);
        assertThat(result.tally().state()).containsEntry("Written", 1L).containsEntry("Rejected", 0L);
        assertThat(bench.content("target")).hasSize(1);
    }

    private static Transaction<Entity> lateTransaction(Transaction<Entity> transaction, AtomicInteger commits) {
        return proxy(Transaction.class, transaction, method -> {
            if (method.getName().equals("commit") && commits.incrementAndGet() == 1) {
                throw new DeadlineExceededException(
                        FailureFacts.of("transaction", "target").ids("id", null).because("nothing was sent", "late"),
                        null);
            }
            return null;
        });
    }
}
