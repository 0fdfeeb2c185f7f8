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

    /** The results that callers received before the kill; nothing of what the writer had accepted without a result. */
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

    /** Over a file, for a kill closes the pipe with what was not read. */
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

    /** Of the first operation that was not accepted no caller can know whether it is in the journal; later ones were never given to the writer. */
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
