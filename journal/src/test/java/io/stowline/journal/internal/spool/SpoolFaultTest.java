package io.stowline.journal.internal.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.spool.FaultyDisk.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpoolFaultTest {

    @TempDir
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();

    private Spool open(Durability durability) {
        return Spools.open(folder, durability, disk);
    }

    private void refuses(ThrowingCallable operation, Fault... faults) {
        disk.fail(faults);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(operation)
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining(folder.getFileName().toString())
                    .hasMessageContaining("injected");
        }
        disk.repair();
    }

    private List<String> reopened(Durability durability) {
        try (Spool spool = open(durability)) {
            return Spools.found(spool);
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    @DisplayName(
            "RECORD-1: a full disk refuses records, which leave nothing behind; with room again the next one is taken")
    void survivesAFullDisk(Durability durability) {
        try (Spool spool = open(durability)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "before");
            refuses(() -> Spools.write(file, "refused"), Fault.WRITE);
            assertThat(file.isBroken()).isFalse();
            assertThat(file.records()).isEqualTo(1);
            assertThat(spool.budget().bytes()).isEqualTo("before;".length());
            Spools.write(file, "after");
            file.end();
            assertThat(Spools.records(file)).containsExactly("before", "after");
        }
        assertThat(reopened(durability)).containsExactly("before", "after");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DisplayName(
            "RECORD-1: a refused record that cannot be cut off breaks the file until it can, and gets into no blob")
    void cutsOffLater(int part) {
        disk.writePart(part);
        try (Spool spool = open(Durability.PROCESS)) {
            SpoolFile broken = spool.create(Spools.bytes("head"));
            Spools.write(broken, "before");
            disk.fail(Fault.WRITE, Fault.TRUNCATE);
            assertThatThrownBy(() -> Spools.write(broken, "refused")).isInstanceOf(JournalException.class);
            assertThat(broken.isBroken()).isTrue();
            broken.end();
            assertThat(Spools.records(broken)).containsExactly("before");
            assertThatThrownBy(() -> broken.seal(Spools.bytes("seal"))).isInstanceOf(JournalException.class);
            disk.repair();
            SpoolFile next = spool.create(Spools.bytes("head"));
            Spools.write(next, "next");
            broken.seal(Spools.bytes("seal"));
            assertThat(Spools.records(broken)).containsExactly("before");
        }
        try (Spool spool = open(Durability.PROCESS)) {
            assertThat(spool.damage()).isEmpty();
            assertThat(Spools.found(spool)).containsExactly("before", "next");
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {"SYNC", "FORCE"},
            value = Fault.class)
    @DisplayName(
            "RECORD-1: a failed fsync takes the records that were not forced, and the file takes no more; the next file does")
    void givesUpWhatWasNotForced(Fault fault) {
        try (Spool spool = open(Durability.MACHINE)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            if (fault == Fault.SYNC) {
                Spools.write(file, "forced");
            }
            long first = file.write(Spools.bytes("one;"));
            long second = file.write(Spools.bytes("two;"));
            disk.fail(fault);
            assertThatThrownBy(() -> file.force(second))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("injected");
            disk.repair();
            assertThatThrownBy(() -> file.force(first)).isInstanceOf(JournalException.class);
            assertThatThrownBy(() -> Spools.write(file, "later")).isInstanceOf(JournalException.class);
            assertThat(file.isBroken()).isTrue();
            Spools.write(spool.create(Spools.bytes("head")), "next");
            file.end();
            file.seal(Spools.bytes("a seal that is longer than the records that were cut off"));
            assertThatThrownBy(() -> file.force(second)).isInstanceOf(JournalException.class);
        }
        List<String> expected = fault == Fault.SYNC ? List.of("forced", "next") : List.of("next");
        assertThat(reopened(Durability.MACHINE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RECORD-1: the end of a stream forces its records, or cuts them off, and those that wait learn which")
    void settlesAtTheEnd(boolean fails) {
        try (Spool spool = open(Durability.MACHINE)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "forced");
            long mark = file.write(Spools.bytes("written;"));
            if (fails) {
                disk.fail(Fault.SYNC);
            }
            file.end();
            disk.repair();
            if (fails) {
                assertThatThrownBy(() -> file.force(mark)).isInstanceOf(JournalException.class);
                assertThat(Spools.records(file)).containsExactly("forced");
            } else {
                assertThat(disk.syncs.get()).isEqualTo(2);
                file.force(mark);
                assertThat(disk.syncs.get()).isEqualTo(2);
                assertThat(Spools.records(file)).containsExactly("forced", "written");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    @DisplayName("RECORD-2: a seal that the disk refuses is not there, and the next one is")
    void refusesSeals(Durability durability) {
        try (Spool spool = open(durability)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "one");
            file.end();
            file.seal(Spools.bytes("first"));
            Fault fault = durability == Durability.MACHINE ? Fault.SYNC : Fault.WRITE;
            refuses(() -> file.seal(Spools.bytes("second")), fault);
            assertThat(file.seal()).isEqualTo(Spools.bytes("first"));
        }
        try (Spool spool = open(durability)) {
            SpoolFile file = spool.found().get(0);
            assertThat(file.seal()).isEqualTo(Spools.bytes("first"));
            file.seal(Spools.bytes("third"));
            assertThat(file.seal()).isEqualTo(Spools.bytes("third"));
            refuses(file::content, Fault.READ);
            assertThat(Spools.records(file)).containsExactly("one");
        }
    }

    @Test
    @DisplayName("RECORD-2: a full disk has room for a seal, so that the stream that fills it can leave it")
    void hasRoomForASeal() {
        try (Spool spool = open(Durability.PROCESS)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "one");
            Path reserve = folder.resolve("spool.reserve");
            disk.before(() -> {
                if (!Files.exists(reserve)) {
                    disk.repair();
                }
            });
            disk.fail(Fault.WRITE);
            assertThatThrownBy(() -> Spools.write(file, "refused")).isInstanceOf(JournalException.class);
            file.seal(Spools.bytes("seal"));
            assertThat(reserve).exists();
            file.delete();
            SpoolFile next = spool.create(Spools.bytes("head"));
            assertThat(reserve).hasSize(65_536);
            Spools.write(next, "next");
        }
    }

    @Test
    @DisplayName("RECORD-1: a file that cannot be made leaves nothing, and the next one can")
    void refusesFiles() {
        try (Spool spool = open(Durability.PROCESS)) {
            refuses(() -> spool.create(Spools.bytes("head")), Fault.CREATE);
            refuses(() -> spool.create(Spools.bytes("head")), Fault.WRITE);
            assertThat(Spools.names(folder)).isEmpty();
            Spools.write(spool.create(Spools.bytes("head")), "next");
        }
        assertThat(reopened(Durability.PROCESS)).containsExactly("next");
    }

    @Test
    @DisplayName(
            "RECORD-1: a file that cannot be deleted has no records any more, and goes with the next one that is made")
    void emptiesWhatItCannotDelete() {
        try (Spool spool = open(Durability.MACHINE)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "done");
            disk.fail(Fault.DELETE);
            file.delete();
            assertThat(Spools.names(folder)).containsExactly("spool.1");
            assertThat(spool.records()).isZero();
            Path killed = Spools.temporary();
            Spools.copy(folder, killed);
            try (Spool next = Spools.open(killed, Durability.MACHINE, SpoolDisk.SYSTEM)) {
                assertThat(next.found()).isEmpty();
                assertThat(next.damage()).isEmpty();
            }
            Spools.delete(killed);
            disk.repair();
            Spools.write(spool.create(Spools.bytes("head")), "next");
            assertThat(Spools.names(folder)).containsExactly("spool.2");
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: a rejected file without room for its reason is kept all the same; one that cannot be moved comes once more")
    void keepsRejectedFiles() {
        try (Spool spool = open(Durability.MACHINE)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "one");
            disk.fail(Fault.WRITE);
            file.reject("409");
            assertThat(spool.rejectedRecords()).isEqualTo(1);
            disk.repair();
            SpoolFile stays = spool.create(Spools.bytes("head"));
            Spools.write(stays, "two");
            disk.fail(Fault.MOVE);
            stays.reject("409");
            assertThat(spool.rejectedRecords()).isEqualTo(1);
            assertThat(spool.records()).isZero();
            disk.repair();
            assertThat(Spools.names(folder)).containsExactly("spool.1.rejected", "spool.2");
        }
        assertThat(reopened(Durability.MACHINE)).containsExactly("two");
    }

    @Test
    @DisplayName("RECORD-1: a recovery that fails has changed nothing")
    void opensAgain() {
        try (Spool spool = open(Durability.PROCESS)) {
            Spools.write(spool.create(Spools.bytes("head")), "one");
        }
        for (Fault fault : List.of(Fault.OPEN, Fault.READ)) {
            disk.fail(fault);
            assertThatThrownBy(() -> open(Durability.PROCESS)).hasMessageContaining("injected");
            disk.repair();
        }
        assertThat(reopened(Durability.PROCESS)).containsExactly("one");
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    @DisplayName("RECORD-1: nothing is accepted once the folder was deleted under its spool; what it has can be read")
    void refusesInADeletedFolder(Durability durability) {
        Path inner = folder.resolve("inner");
        try (Spool spool = Spools.open(inner, durability, disk)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "before");
            Spools.delete(inner);
            disk.pass();
            assertThatThrownBy(() -> Spools.write(file, "refused"))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("was removed");
            assertThatThrownBy(() -> spool.create(Spools.bytes("head")))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("open it again");
            assertThat(spool.damage()).singleElement().asString().contains("was removed");
            file.end();
            assertThat(Spools.records(file)).containsExactly("before");
            file.delete();
        }
        try (Spool spool = Spools.open(inner, durability, disk)) {
            Spools.write(spool.create(Spools.bytes("head")), "after");
        }
    }

    @Test
    @DisplayName("RECORD-1: a folder that was made again in its place is not the spool's")
    void refusesInAnotherFolder() throws Exception {
        Path inner = folder.resolve("inner");
        try (Spool spool = Spools.open(inner, Durability.PROCESS, disk)) {
            Files.move(inner, folder.resolve("elsewhere"));
            Files.createDirectory(inner);
            assertThatThrownBy(() -> spool.create(Spools.bytes("head"))).hasMessageContaining("the folder was removed");
            assertThat(Spools.names(inner)).isEmpty();
        }
    }
}
