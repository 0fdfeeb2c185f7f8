package io.stowline.system.ledger.subject;

import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A {@link JournaledProcess} that the system kills at a {@link ClosingPoint}, and the facts that it has printed until then. */
final class KilledProcess {

    private final ClosingPoint closing;
    private final Set<Integer> accepted = new HashSet<>();
    private final Map<Integer, ReportedResult> ends = new HashMap<>();

    KilledProcess(ClosingPoint closing) {
        this.closing = closing;
    }

    /**
     * Returns the results that callers received before the kill, without the operations that the writer had accepted.
     */
    List<CompletableFuture<Optional<ReportedResult>>> write(
            StowlineConnection connection, String name, Path folder, List<Op> ops) {
        try {
            run(process(connection, name, folder, ops));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the journaled process had ended", e);
        }
        List<CompletableFuture<Optional<ReportedResult>>> results = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            results.add(CompletableFuture.completedFuture(result(i)));
        }
        return results;
    }

    private static ProcessBuilder process(StowlineConnection connection, String name, Path folder, List<Op> ops) {
        return ChildProcess.of(
                JournaledProcess.class,
                JournaledProcess.arguments(
                        connection, name, folder, ops.stream().map(Op::change).toList()));
    }

    /** Writes to a file, as a kill closes the pipe with its unread bytes. */
    private void run(ProcessBuilder journaled) throws IOException, InterruptedException {
        Path output = Files.createTempFile("ledger-process", ".txt");
        try {
            Process process = journaled
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            closing.begin("process killed", process::destroyForcibly);
            process.waitFor();
            closing.over();
            Files.readAllLines(output).forEach(this::note);
        } finally {
            Files.delete(output);
        }
    }

    /** Notes one line of the process, the last of which may be cut by the kill. */
    void note(String line) {
        String[] words = line.split(" ", 3);
        if (words[0].equals(JournaledProcess.ACCEPTED)) {
            accepted.add(Integer.valueOf(words[1]));
        } else if (JournaledProcess.isResult(line)) {
            ends.put(Integer.valueOf(words[1]), JournaledProcess.result(line));
        }
    }

    /**
     * Returns the result of an operation. No caller can know whether the first one that was not accepted is in the
     * journal; later ones were never given to the writer.
     */
    Optional<ReportedResult> result(int number) {
        ReportedResult end = ends.get(number);
        if (end != null || accepted.contains(number)) {
            return Optional.ofNullable(end);
        }
        return Optional.of(
                number == accepted.size()
                        ? ReportedResult.of(
                                ReportedResult.Sort.UNKNOWN, "its process was killed before it was accepted")
                        : ReportedResult.of(ReportedResult.Sort.REFUSED, "its process had been killed before"));
    }
}
