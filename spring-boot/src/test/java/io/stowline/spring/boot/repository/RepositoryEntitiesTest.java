package io.stowline.spring.boot.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.StoredEntity;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repositories of entities that are no plain records. */
class RepositoryEntitiesTest {

    sealed interface StaffRow permits Department, Employee {}

    @RowPrefix("D:")
    record Department(@PartitionKey String name, @RowKey String key, String head) implements StaffRow {}

    @RowPrefix("E:")
    record Employee(@PartitionKey String name, @RowKey String id, int age) implements StaffRow {}

    interface Staff extends TableRepository<StaffRow> {
        List<StaffRow> findByName(String name);

        Optional<StaffRow> findByNameAndRowKey(String name, String key);
    }

    interface ByKeyOfOne extends TableRepository<StaffRow> {
        Optional<StaffRow> findByNameAndId(String name, String id);
    }

    interface Employees extends TableRepository<Employee> {
        List<Employee> findByNameAndIdStartingWith(String name, String prefix);
    }

    interface Raw extends TableRepository<Entity> {
        List<StoredEntity<Entity>> findByPartitionKey(String name);
    }

    /** An immutable class, which the mapping takes as it takes records. */
    public static final class Note {

        private final String author;
        private final String id;
        private final LocalDate day;

        public Note(@PartitionKey String author, @RowKey String id, LocalDate day) {
            this.author = author;
            this.id = id;
            this.day = day;
        }

        public String author() {
            return author;
        }

        public String id() {
            return id;
        }

        public LocalDate day() {
            return day;
        }
    }

    interface Owned<X> extends TableRepository<X> {
        List<X> findByAuthor(String author);
    }

    interface Notes extends Owned<Note> {
        List<Note> findByAuthorAndCreatedOnBefore(String author, LocalDate day);

        Optional<Note> findByAuthorAndId(String author, String id);
    }

    /** A record as Kotlin's compiler writes it: annotations at the parameters alone. */
    record Draft(String author, String id, int words) {
        Draft(@PartitionKey String author, @RowKey String id, int words) {
            this.author = author;
            this.id = id;
            this.words = words;
        }
    }

    interface Drafts extends TableRepository<Draft> {
        List<Draft> findByAuthor(String author);
    }

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline client = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();

    @BeforeEach
    void create() {
        client.table("rows").create();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void keysOfARecordMayBeMarkedAtTheConstructorAlone() {
        Drafts drafts =
                TableRepositoryFactory.of(client.table("rows", Draft.class)).create(Drafts.class);
        drafts.insert(new Draft("Ann", "1", 100));

        assertThat(drafts.findByAuthor("Ann")).containsExactly(new Draft("Ann", "1", 100));
    }

    @Test
    void rowsOfASealedInterfaceHaveTheKeysThatAllNameAlike() {
        Staff staff =
                TableRepositoryFactory.of(client.table("rows", StaffRow.class)).create(Staff.class);
        Department department = new Department("sales", "D:", "Ann");
        Employee employee = new Employee("sales", "E:1", 41);
        staff.insert(department);
        staff.insert(employee);

        assertThat(staff.findByName("sales")).containsExactly(department, employee);
        assertThat(staff.findByNameAndRowKey("sales", "E:1")).contains(employee);
        assertThat(TableRepositoryFactory.of(client.table("rows", Employee.class))
                        .create(Employees.class)
                        .findByNameAndIdStartingWith("sales", "E:"))
                .containsExactly(employee);
        assertThatThrownBy(() -> TableRepositoryFactory.of(client.table("rows", StaffRow.class))
                        .create(ByKeyOfOne.class))
                .hasMessageContaining("'id' is neither a key of StaffRow nor declared as an index");
    }

    @Test
    void aTableWithoutATypeHasItsTwoKeys() {
        Raw raw = TableRepositoryFactory.of(client.table("rows")).create(Raw.class);
        raw.insert(Entity.builder("a", "1").set("x", 1).build());

        assertThat(raw.findByPartitionKey("a")).singleElement().satisfies(stored -> assertThat(stored.etag())
                .isNotEmpty());
    }

    @Test
    void anImmutableClassAndInheritedMethods() {
        Index<Note, LocalDate> created = Index.date("CREATEDON", Note::day);
        Notes notes = TableRepositoryFactory.of(client.table("rows", Note.class))
                .index(created)
                .create(Notes.class);
        notes.insert(new Note("ann", "1", LocalDate.of(2026, 11, 1)));
        notes.insert(new Note("ann", "2", LocalDate.of(2026, 11, 2)));

        assertThat(notes.findByAuthor("ann")).extracting(Note::id).containsExactly("1", "2");
        assertThat(notes.findByAuthorAndCreatedOnBefore("ann", LocalDate.of(2026, 11, 2)))
                .extracting(Note::id)
                .containsExactly("1");
        assertThat(notes.findByAuthorAndId("ann", "2")).isPresent();
    }
}
