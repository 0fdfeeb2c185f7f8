package io.stowline.examples.blobs;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.examples.blobs.BlobCommandOptions.Verb;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A command that copies, synchronizes and deletes directories of blobs, with a progress bar.
 *
 * <p>Exits with 0 when all is done, with 1 when something failed, and with 2 when the options are wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record BlobCommand(BlobCommandOptions options, PrintStream out) {

    static final Program<BlobCommandOptions> PROGRAM = new Program<>(
            BlobCommandOptions.HELP, BlobCommandOptions::of, (options, out) -> new BlobCommand(options, out).run());

    private static final double MEBI = 1 << 20;

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the verb and its options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private List<String> run() throws IOException, InterruptedException {
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out);
                Stowline storage = account.connect()) {
            TransferReport report;
            try (ProgressDisplay progress = ProgressDisplay.of(out, verb(), ProgressDisplay.UNKNOWN)) {
                report = begun(storage, settings -> settings.progress(now -> show(now, progress))
                                .eachItem(this::announce))
                        .join();
            }
            summary(report).lines().forEach(out::println);
            return failures(report);
        } catch (TransferFailedException e) {
            throw new JobFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private String verb() {
        return switch (options.verb()) {
            case CP -> "Copying";
            case SYNC -> "Synchronizing";
            case RM -> "Deleting";
        };
    }

    /** A refusal before the beginning concerns the options, such as the name of a container. */
    private Transfer begun(Stowline storage, UnaryOperator<DirectorySettings.Builder> listeners) {
        try {
            return transfer(storage, listeners);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private Transfer transfer(Stowline storage, UnaryOperator<DirectorySettings.Builder> listeners) {
        BlobLocation target = options.target();
        UnaryOperator<DirectorySettings.Builder> settings = builder -> listeners.apply(options.on(builder));
        if (options.verb() == Verb.RM) {
            return container(storage, target).deleteDirectory(target.prefix(), settings);
        }
        BlobLocation source = options.source();
        Path folder = target.folder();
        if (folder != null) {
            return container(storage, source).downloadDirectory(source.prefix(), folder, settings);
        }
        BlobContainer made = container(storage, target);
        if (options.dryRun() && !made.exists()) {
            out.println("The container " + made.name() + " would be made");
            settings = builder -> listeners.apply(options.onNothing(builder));
        } else if (!options.dryRun() && made.createIfMissing()) {
            out.println("The container " + made.name() + " was made");
        }
        Path files = source.folder();
        return files != null
                ? made.uploadDirectory(files, target.prefix(), settings)
                : container(storage, source).copyDirectory(source.prefix(), made, target.prefix(), settings);
    }

    private static BlobContainer container(Stowline storage, BlobLocation location) {
        return storage.container(Objects.requireNonNull(location.container(), "checked with the options"));
    }

    private static void show(TransferProgress now, ProgressDisplay progress) {
        now.bytesTotal().ifPresent(progress::size);
        progress.show(
                now.bytesDone(),
                String.format(
                        Locale.ROOT,
                        "%,d blobs  %.1f MiB/s  %s",
                        now.blobsDone(),
                        now.rate() / MEBI,
                        ProgressDisplay.left(now.timeLeft())));
    }

    /** A dry run prints the changes that it would make. */
    private void announce(Item item) {
        if (item.action() == Action.SKIPPED && item.error() != null) {
            out.println("skipped " + item.name() + ": " + item.error().getMessage());
        }
        if (!options.dryRun() && item.action() == Action.DELETED && unfinished(item)) {
            out.println("removed the unfinished file " + item.name());
        }
        boolean changes = item.action() == Action.TRANSFERRED
                || item.action() == Action.COPIED
                || item.action() == Action.DELETED;
        if (options.dryRun() && changes) {
            out.println((item.action() == Action.DELETED ? "would delete " : "would transfer ") + item.name());
        }
    }

    private static boolean unfinished(Item item) {
        return item.name().substring(item.name().lastIndexOf('/') + 1).startsWith(".stowline-");
    }

    private static Report summary(TransferReport report) {
        double seconds = report.elapsed().toNanos() / 1e9;
        return new Report()
                .row("transferred", "%,d", report.transferred())
                .row("  MiB", "%,.1f", report.bytes() / MEBI)
                .row("unchanged", "%,d", report.unchanged())
                .row("skipped", "%,d", report.skipped())
                .row("deleted", "%,d", report.deleted())
                .row("failed", "%,d", report.failed())
                .row("seconds", "%.1f", seconds)
                .row("  MiB/s", "%,.1f", report.bytes() / MEBI / Math.max(seconds, 1e-3));
    }

    private static List<String> failures(TransferReport report) {
        List<String> lines = new ArrayList<>();
        for (Item failure : report.failures()) {
            lines.add(failure.name() + ": " + failure.error());
        }
        if (report.failed() > lines.size()) {
            lines.add(report.failed() - lines.size() + " more");
        }
        return lines;
    }
}
