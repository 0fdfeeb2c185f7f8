package io.stowline.journal.internal.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SpoolDamageTest {

    private static final int HEAD_END = FrameFormat.PROLOGUE + FrameFormat.OVERHEAD + "head".length();

    /** A file with its records, and the positions behind its frames. */
    private record Written(byte[] bytes, List<String> records, List<Integer> ends) {}

    private static Written write(List<Integer> sizes, boolean seals) throws IOException {
        Path folder = Spools.temporary();
        List<String> records = new ArrayList<>();
        List<Integer> ends = new ArrayList<>(List.of(HEAD_END));
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            for (int size : sizes) {
                records.add(records.size() + "-" + "x".repeat(size));
                Spools.write(file, records.get(records.size() - 1));
                ends.add((int) Files.size(folder.resolve("spool.1")));
            }
            if (seals) {
                for (String seal : List.of("first", "second")) {
                    file.seal(Spools.bytes(seal));
                    ends.add((int) Files.size(folder.resolve("spool.1")));
                }
            }
        }
        byte[] bytes = Files.readAllBytes(folder.resolve("spool.1"));
        Spools.delete(folder);
        return new Written(bytes, records, ends);
    }

    /** Opens what is left of a file, seals it, and opens it again; the records are the same both times. */
    private static List<String> reopened(byte[] bytes, List<String> report, boolean[] sealed) throws IOException {
        Path folder = Spools.temporary();
        Files.write(folder.resolve("spool.1"), bytes);
        List<String> records;
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM)) {
            report.addAll(spool.damage());
            records = new ArrayList<>();
            for (SpoolFile file : spool.found()) {
                records.addAll(Spools.records(file));
                sealed[0] = file.seal() != null;
                file.seal(Spools.bytes("third"));
            }
        }
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM)) {
            for (SpoolFile file : spool.found()) {
                assertThat(Spools.records(file)).isEqualTo(records);
                assertThat(file.seal()).isEqualTo(Spools.bytes("third"));
                file.delete();
            }
            assertThat(Spools.names(folder)).allMatch(name -> name.endsWith(SpoolNames.DAMAGED));
        }
        Spools.delete(folder);
        return records;
    }

    private static void checkCut(Written written, int at) throws IOException {
        List<String> report = new ArrayList<>();
        List<String> found = reopened(Arrays.copyOf(written.bytes(), at), report, new boolean[1]);
        long whole = written.ends().stream().filter(end -> end <= at).count() - 1;
        assertThat(found).as("cut at %s", at).isEqualTo(written.records().subList(0, (int)
                Math.max(0, Math.min(whole, written.records().size()))));
        assertThat(report).as("cut at %s", at).hasSize(written.ends().contains(at) ? 0 : 1);
    }

    private static void checkFlip(Written written, int at, int bit) throws IOException {
        byte[] flipped = written.bytes().clone();
        flipped[at] ^= (byte) (1 << bit);
        List<String> report = new ArrayList<>();
        boolean[] sealed = new boolean[1];
        List<String> found = reopened(flipped, report, sealed);
        List<String> expected = new ArrayList<>(written.records());
        if (at < HEAD_END) {
            expected.clear();
        } else {
            int frame = (int) written.ends().stream().filter(end -> end <= at).count() - 1;
            if (frame < expected.size()) {
                expected.remove(frame);
            }
        }
        assertThat(found).as("bit %s of byte %s", bit, at).isEqualTo(expected);
        assertThat(report).as("bit %s of byte %s", bit, at).hasSize(1);
    }

    @Test
    @DisplayName(
            "RECORD-1: a file that is cut at any byte has all records in front of it, and says so unless a frame ends there")
    void survivesEveryCut() throws IOException {
        Written written = write(List.of(0, 3, 30), true);
        for (int at = 0; at <= written.bytes().length; at++) {
            checkCut(written, at);
        }
    }

    @Test
    @DisplayName("RECORD-1: a wrong byte takes the record in which it is and no other one, and the file is kept")
    void survivesEveryFlip() throws IOException {
        Written written = write(List.of(0, 3, 30), true);
        for (int at = 0; at < written.bytes().length; at++) {
            checkFlip(written, at, at % 8);
        }
    }

    @Property(tries = 60)
    void survivesCutsAndFlips(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(max = 70_000) Integer> sizes,
            @ForAll boolean seals,
            @ForAll @IntRange(max = 999_999) int place,
            @ForAll @IntRange(max = 7) int bit)
            throws IOException {
        Written written = write(sizes, seals);
        int at = (int) ((long) written.bytes().length * place / 1_000_000);
        checkCut(written, at);
        checkFlip(written, at, bit);
    }

    @Test
    @DisplayName("RECORD-1: frames of another file, or of another position, are no records")
    void inventsNothing() throws IOException {
        Written one = write(List.of(10, 10, 10), false);
        Written other = write(List.of(10, 10, 10), false);
        byte[] mixed = one.bytes().clone();
        System.arraycopy(other.bytes(), HEAD_END, mixed, HEAD_END, one.ends().get(1) - HEAD_END);
        assertThat(reopened(mixed, new ArrayList<>(), new boolean[1]))
                .isEqualTo(one.records().subList(1, 3));

        byte[] repeated = Arrays.copyOf(one.bytes(), one.bytes().length + one.bytes().length - HEAD_END);
        System.arraycopy(one.bytes(), HEAD_END, repeated, one.bytes().length, one.bytes().length - HEAD_END);
        assertThat(reopened(repeated, new ArrayList<>(), new boolean[1])).isEqualTo(one.records());
    }

    @Test
    @DisplayName("RECORD-1: a refused record that a power cut brings back behind a seal is no record")
    void takesNoRecordBehindASeal() throws IOException {
        Written written = write(List.of(5, 80, 5), false);
        byte[] bytes = written.bytes().clone();
        int at = written.ends().get(1);
        FrameFormat format = FrameFormat.of(Arrays.copyOf(bytes, FrameFormat.PROLOGUE));
        byte[] seal = Spools.bytes("seal");
        System.arraycopy(format.frame(at, FrameFormat.SEAL, seal), 0, bytes, at, FrameFormat.OVERHEAD + seal.length);
        boolean[] sealed = new boolean[1];
        assertThat(reopened(bytes, new ArrayList<>(), sealed))
                .isEqualTo(written.records().subList(0, 1));
        assertThat(sealed[0]).isTrue();
    }

    @Test
    @DisplayName("RECORD-1: zeros at the end, as a file system without power leaves them, are cut off")
    void cutsZeros() throws IOException {
        Written written = write(List.of(5, 5), false);
        List<String> report = new ArrayList<>();
        assertThat(reopened(Arrays.copyOf(written.bytes(), written.bytes().length + 9_000), report, new boolean[1]))
                .isEqualTo(written.records());
        assertThat(report).singleElement().asString().contains("spool.1 is torn", "9000 bytes", "2 whole records");
    }

    @Test
    @DisplayName("RECORD-1: damaged files are kept, the newest three of them")
    void keepsDamagedFiles() throws IOException {
        Path folder = Spools.temporary();
        for (int i = 1; i <= 5; i++) {
            byte[] bytes = write(List.of(5, 5, 5), false).bytes();
            bytes[HEAD_END + 12] ^= 1;
            Files.write(folder.resolve("spool." + i), bytes);
        }
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM)) {
            assertThat(spool.damage())
                    .hasSize(5)
                    .first()
                    .asString()
                    .contains("spool.1 is damaged", "2 records could be read");
            assertThat(spool.records()).isEqualTo(10);
            spool.found().forEach(SpoolFile::delete);
            assertThat(Spools.names(folder)).containsExactly("spool.3.damaged", "spool.4.damaged", "spool.5.damaged");
            assertThat(spool.damage()).hasSize(7);
            spool.create(Spools.bytes("next"));
            assertThat(folder.resolve("spool.6")).exists();
        }
        Spools.delete(folder);
    }

    @Test
    @DisplayName("RECORD-1: damage while a file is in use is found when it is read, and not sent")
    void noticesDamageInUse() throws IOException {
        Path folder = Spools.temporary();
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM)) {
            SpoolFile flipped = spool.create(Spools.bytes("head"));
            Spools.write(flipped, "one");
            SpoolFile cut = spool.create(Spools.bytes("head"));
            Spools.write(cut, "two");
            byte[] bytes = Files.readAllBytes(folder.resolve("spool.1"));
            bytes[bytes.length - 1] ^= 1;
            Files.write(folder.resolve("spool.1"), bytes);
            Files.write(folder.resolve("spool.2"), Arrays.copyOf(bytes, bytes.length - 1));
            for (SpoolFile file : List.of(flipped, cut)) {
                file.end();
                assertThat(org.assertj.core.api.Assertions.catchThrowable(file::content))
                        .isInstanceOf(DamagedSpoolException.class)
                        .hasMessageContaining("was damaged while it was in use");
                file.reject("damaged");
            }
            assertThat(spool.damage()).hasSize(2);
            assertThat(spool.rejectedRecords()).isEqualTo(2);
        }
        Spools.delete(folder);
    }
}
