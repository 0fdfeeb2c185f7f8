package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FolderClashesTest {

    private final FolderClashes clashes =
            new FolderClashes(name -> !name.contains("//"), (name, below) -> new IOException(name + " above " + below));
    private final List<TransferStep> ready = new ArrayList<>();

    private void step(String name) {
        ready.addAll(clashes.next(name, TransferStep.ended(name, Action.UNCHANGED)));
    }

    private Map<String, Action> ends() {
        Map<String, Action> ends = new TreeMap<>();
        for (TransferStep step : ready) {
            for (Item item : step.ends().block()) {
                assertThat(ends.put(item.name(), item.action())).as(item.name()).isNull();
            }
        }
        return ends;
    }

    private static List<String> names(Random random) {
        TreeSet<String> names = new TreeSet<>();
        for (int i = random.nextInt(60); i >= 0; i--) {
            StringBuilder name = new StringBuilder();
            for (int depth = random.nextInt(3); depth >= 0; depth--) {
                name.append("ab".charAt(random.nextInt(2)))
                        .append(List.of("", "-", "0", "b").get(random.nextInt(4)))
                        .append(depth == 0 ? "" : "/");
            }
            names.add(name.toString());
        }
        return new ArrayList<>(names);
    }

    @RepeatedTest(100)
    @DisplayName("WORLD-1: each blob that has the name of another one's folder gives way, and no other, in both orders")
    void orders(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        List<String> names = names(random);
        names.sort(random.nextBoolean() ? Comparator.naturalOrder() : SortedMerge::byFolder);
        int planned = 0;
        for (int listed = 0; listed < names.size(); listed++) {
            clashes.listed(names.get(listed));
            if (random.nextBoolean()) {
                while (planned <= listed) {
                    step(names.get(planned++));
                }
            }
        }
        clashes.ended();
        while (planned < names.size()) {
            step(names.get(planned++));
        }
        ready.addAll(clashes.rest());

        Map<String, Action> ends = ends();

        assertThat(ends).containsOnlyKeys(names);
        assertThat(ends).allSatisfy((name, action) -> assertThat(action)
                .isEqualTo(
                        names.stream().anyMatch(other -> other.startsWith(name + "/"))
                                ? Action.SKIPPED
                                : Action.UNCHANGED));
    }

    @Test
    @DisplayName("a step waits until the listing is past all that may lie below its name, and no longer")
    void waits() {
        clashes.listed("log");
        step("log");
        clashes.listed("log-1");
        step("log-1");
        assertThat(ready).isEmpty();
        clashes.listed("log-2");
        step("log-2");
        assertThat(ready).extracting(TransferStep::name).containsExactly("log-1");
        clashes.listed("m");
        step("m");
        assertThat(ready).extracting(TransferStep::name).containsExactly("log-1", "log", "log-2");
    }

    @Test
    @DisplayName("a blob that has no file needs no folder")
    void withoutFile() {
        clashes.listed("a");
        clashes.listed("a//b");
        clashes.ended();
        step("a");

        assertThat(ends()).containsEntry("a", Action.UNCHANGED);
    }
}
