package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.ConflictException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Discriminator;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The article's example: a department and its employees, rows of two types in one partition. */
class TypesOfOnePartitionIT extends StorageTest {

    sealed interface StaffRow permits Department, Employee {}

    /** The row of a department, which counts its employees. */
    @RowPrefix("D:")
    record Department(@PartitionKey String name, @RowKey String key, String head, int employees) implements StaffRow {

        static Department of(String name, int employees) {
            return new Department(name, "D:info", "Ann", employees);
        }
    }

    @RowPrefix("E:")
    record Employee(@PartitionKey String department, @RowKey String key, String name, Optional<Integer> age)
            implements StaffRow {

        static Employee of(String department, int number) {
            return new Employee(
                    department, String.format("E:%05d", number), "employee " + number, Optional.of(20 + number % 40));
        }
    }

    sealed interface Payment permits Card, Transfer {}

    @Discriminator(property = "kind", value = "card")
    record Card(@PartitionKey String customer, @RowKey String id, long cents) implements Payment {}

    @Discriminator(property = "kind", value = "transfer")
    record Transfer(@PartitionKey String customer, @RowKey String id, String iban) implements Payment {}

    private static final Index<Employee, Integer> AGE =
            Index.number("AGE", 3, employee -> employee.age().orElse(null));
    private static final Index<Department, String> HEAD = Index.text("HEAD", Department::head);

    private Table<StaffRow> staff;
    private Table<Employee> employees;
    private Table<Department> departments;

    @BeforeEach
    void makeTable() {
        staff = freshTable(StaffRow.class);
        employees = storage.table(staff.name(), Employee.class);
        departments = storage.table(staff.name(), Department.class);
    }

    private int batches() {
        proxy().awaitIdle(Duration.ofSeconds(20));
        return proxy().recorded(requests().path("**/$batch")).size();
    }

    private List<String> rows() {
        return IndexedIT.rows(storage, staff.name());
    }

    @Test
    @DisplayName(
            "T4: a hire changes the employee's row and that of the department in one step, and one read gives both")
    void departmentExample() {
        departments.insert(Department.of("Marketing", 0));
        StoredEntity<Department> before =
                departments.find("Marketing", "D:info").orElseThrow();
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();

        List<WriteResult> written = employees
                .transaction("Marketing")
                .insert(Employee.of("Marketing", 1))
                .insert(Employee.of("Marketing", 2))
                .in(departments)
                .replace(before.with(Department.of("Marketing", 2)))
                .commit();

        assertThat(written).hasSize(3).allMatch(each -> each.outcome() == WriteOutcome.CONFIRMED);
        assertThat(batches()).isEqualTo(1);
        proxy().clear();
        List<StaffRow> marketing = staff.query().partition("Marketing").list();
        assertThat(marketing)
                .containsExactly(
                        Department.of("Marketing", 2), Employee.of("Marketing", 1), Employee.of("Marketing", 2));
        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(proxy().recorded(requests())).hasSize(1);
        assertThat(employees.query().partition("Marketing").list()).hasSize(2);
        assertThat(staff.find("Marketing", "D:info").orElseThrow().etag())
                .isEqualTo(written.get(2).etag());

        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> employees
                        .transaction("Marketing")
                        .insert(Employee.of("Marketing", 3))
                        .in(departments)
                        .replace(before.with(Department.of("Marketing", 3)))
                        .commit())
                .withCauseInstanceOf(PreconditionFailedException.class)
                .satisfies(e -> assertThat(e.index()).isEqualTo(1))
                .withMessageContaining("Department")
                .withMessageContaining("D:info");
        assertThat(employees.query().partition("Marketing").count()).isEqualTo(2);
    }

    @Test
    @DisplayName("T4: the sealed interface itself is the type of transactions, writers, point reads and deletions")
    void sealedTable() {
        staff.transaction("Sales")
                .insert(Department.of("Sales", 1))
                .insert(Employee.of("Sales", 1))
                .commit();
        try (TableWriter<StaffRow> writer = staff.writer()) {
            IntStream.range(2, 300).forEach(i -> writer.insert(Employee.of("Sales", i)));
            writer.insertOrReplace(Department.of("Sales", 299));
        }
        storage.table(staff.name()).insert(Entity.builder("Sales", "P:1").build());

        assertThat(staff.query().partition("Sales").count()).isEqualTo(300);
        assertThat(staff.query().partition("Sales").skipUnreadable(unknown -> {}).stream()
                        .filter(Department.class::isInstance))
                .containsExactly(Department.of("Sales", 299));
        assertThat(staff.find("Sales", "E:00007").orElseThrow().value()).isEqualTo(Employee.of("Sales", 7));
        staff.merge("Sales", "E:00007").set("age", 90).update();
        assertThat(employees
                        .query()
                        .partition("Sales")
                        .where(employees.property("age").atLeast(80))
                        .list())
                .singleElement()
                .satisfies(found -> assertThat(found.age()).contains(90));
        assertThat(employees.query().partition("Sales").deleteAll()).isEqualTo(new DeletionReport(299, 0, 0));
        assertThat(rows()).containsExactly("Sales | D:info", "Sales | P:1");
        assertThat(staff.query().partition("Sales").deleteAll().deleted()).isEqualTo(1);
        assertThat(rows()).containsExactly("Sales | P:1");
    }

    @Test
    @DisplayName("T4: types are known by a property, too, which each write keeps")
    void discriminators() {
        Table<Payment> payments = storage.table(staff.name(), Payment.class);
        Table<Card> cards = payments.as(Card.class);
        payments.transaction("ann")
                .insert(new Card("ann", "1", 500))
                .insert(new Transfer("ann", "2", "DE1"))
                .commit();
        cards.merge("ann", "3").set("cents", 7).insertOrMerge();
        StoredEntity<Payment> first = payments.find("ann", "1").orElseThrow();
        payments.replace(first.with(new Card("ann", "1", 600)));

        assertThat(payments.query().partition("ann").list())
                .containsExactly(new Card("ann", "1", 600), new Transfer("ann", "2", "DE1"), new Card("ann", "3", 7));
        assertThat(cards.query().partition("ann").list())
                .containsExactly(new Card("ann", "1", 600), new Card("ann", "3", 7));
        assertThat(cards.query().partition("ann").count()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "T4 T11: index rows of two types stand in one transaction with their entities, and each repair leaves the"
                    + " rows of the other type alone")
    void indexRows() {
        IndexedTable<Employee> byAge = employees.indexed(AGE);
        IndexedTable<Department> byHead = departments.indexed(HEAD);
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();

        byAge.transaction("Marketing")
                .insert(Employee.of("Marketing", 1))
                .in(byHead)
                .insert(Department.of("Marketing", 1))
                .in(storage.table(staff.name()))
                .insert(Entity.builder("Marketing", "note").build())
                .commit();

        assertThat(batches()).isEqualTo(1);
        assertThat(rows())
                .containsExactly(
                        "Marketing | AGE:021!E:00001",
                        "Marketing | D:info",
                        "Marketing | E:00001",
                        "Marketing | HEAD:Ann!D:info",
                        "Marketing | note");
        assertThat(byAge.stream(AGE, "Marketing", 21)).containsExactly(Employee.of("Marketing", 1));
        assertThat(byAge.repair("Marketing").clean()).isTrue();
        assertThat(byHead.repair().clean()).isTrue();
        assertThat(byAge.repair().entities()).isEqualTo(1);
        storage.table(staff.name()).delete("Marketing", "AGE:021!E:00001");
        assertThat(byAge.repair().added()).isEqualTo(1);
        assertThat(byAge.query().partition("Marketing").list()).containsExactly(Employee.of("Marketing", 1));

        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> byAge.transaction("Marketing")
                        .insert(Employee.of("Marketing", 2))
                        .in(byHead)
                        .insert(Department.of("Marketing", 1))
                        .commit())
                .withCauseInstanceOf(ConflictException.class)
                .satisfies(e -> assertThat(e.member())
                        .isEqualTo("insert of Department " + staff.name() + "(Marketing, D:info)"));
        assertThat(rows()).hasSize(5);
    }

    @Test
    @DisplayName("T4: a writer with indexes changes the rows of several types and keeps the index rows of each")
    void indexedWriter() {
        IndexedTable<Employee> byAge = employees.indexed(AGE);
        IndexedTable<Department> byHead = departments.indexed(HEAD);
        List<Submission<WriteResult>> ends = new ArrayList<>();
        try (TableWriter<Employee> writer = byAge.writer()) {
            TableWriter<Department> heads = writer.in(byHead);
            TableWriter<Entity> notes = writer.in(storage.table(staff.name()));
            for (int i = 0; i < 60; i++) {
                ends.add(writer.insertOrReplace(Employee.of("Marketing", i)));
                ends.add(notes.insertOrReplace(
                        Entity.builder("Marketing", "note" + i).build()));
            }
            ends.add(heads.insert(Department.of("Marketing", 60)));
            ends.add(heads.insertOrReplace(new Department("Marketing", "D:info", "Bob", 61)));
            ends.add(notes.delete("Marketing", "note0"));
            ends.add(writer.delete("Marketing", "E:00000"));
        }

        assertThat(ends).allMatch(Submission::isDone);
        assertThat(byHead.stream(HEAD, "Marketing", "Bob")).hasSize(1);
        assertThat(byHead.stream(HEAD, "Marketing", "Ann")).isEmpty();
        assertThat(byAge.query().partition("Marketing").list()).hasSize(59);
        assertThat(byAge.repair().clean()).isTrue();
        assertThat(byHead.repair().clean()).isTrue();
        assertThat(rows()).hasSize(2 * 59 + 59 + 2);
    }

    private enum Loss {
        LOST(rule -> rule.loseResponse()),
        DROPPED(rule -> rule.reset()),
        FAULT_AFTER(rule -> rule.forwardThenRespond(StubResponse.error(500, "InternalError", "Fault.")));

        private final Consumer<FaultRule> on;

        Loss(Consumer<FaultRule> on) {
            this.on = on;
        }
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    @DisplayName("OUTCOME-4 T4: after a lost response the witness of one type decides for the rows of all, and the next"
            + " call works")
    void lostResponses(Loss loss) {
        for (boolean indexed : List.of(false, true)) {
            String partition = indexed ? "indexed" : "plain";
            loss.on.accept(proxy().when(requests().path("**/$batch").nth(1)));

            List<WriteResult> written = (indexed
                            ? employees.indexed(AGE).transaction(partition)
                            : employees.transaction(partition))
                    .insert(Employee.of(partition, 1))
                    .in(departments)
                    .insert(Department.of(partition, 1))
                    .commit();

            assertThat(written).hasSize(2);
            assertThat(written)
                    .allMatch(each -> loss == Loss.DROPPED
                            ? each.outcome() == WriteOutcome.CONFIRMED
                            : each.outcome() == WriteOutcome.RECOVERED);
            assertThat(employees.find(partition, "E:00001")).isPresent();
            assertThat(departments.find(partition, "D:info")).isPresent();
            employees
                    .transaction(partition)
                    .insert(Employee.of(partition, 2))
                    .in(departments)
                    .insertOrMerge(new Department(partition, "D:more", "Ann", 2))
                    .commit();
        }
    }

    @Test
    @DisplayName("BATCH-7 T4: a writer of two types fills transactions with both, a journal apart")
    void writer() {
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();
        try (TableWriter<Employee> writer = employees.writer(settings -> settings.linger(Duration.ofMillis(200)))) {
            TableWriter<Department> heads = writer.in(departments);
            Stream.iterate(0, i -> i + 1).limit(150).forEach(i -> {
                writer.insert(Employee.of("Marketing", i));
                heads.insert(new Department("Marketing", "D:" + i, "Ann", i));
            });
        }
        assertThat(staff.query().partition("Marketing").count()).isEqualTo(300);
        assertThat(batches()).isLessThanOrEqualTo(5);
    }
}
