package io.stowline.examples.blobs;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of the command line. Immutable. */
final class BlobCommandOptions {

    static final String HELP = """
        Copies, synchronizes and deletes directories of blobs.

          blobs cp SOURCE TARGET    transfers what the target does not have
          blobs sync SOURCE TARGET  transfers what is missing or different, by size and modification time
          blobs rm TARGET           deletes

        A source or target is a folder, or blob:CONTAINER/PREFIX. A container that is a target is made if it is missing.

          --include GLOB          only names that match, such as '**/*.jpg'; may be given several times
          --exclude GLOB          not the names that match, such as 'tmp/**'; may be given several times
          --overwrite             cp: replace what the target has
          --md5                   sync: compare contents in place of times
          --mirror                cp, sync: delete from the target what the source does not have
          --remove-unfinished     cp, sync to a folder: remove what killed downloads have left, and name it; --mirror does, too
          --keep-properties       cp, sync to blobs: a blob that is replaced keeps headers, metadata, tags and tier
          --delete-snapshots      rm, --mirror: delete the snapshots of deleted blobs too, which are skipped otherwise
          --dry-run               change nothing, and print what would be done
          --parallelism N         how many blobs, or blocks of large ones, travel at a time (default: 16)
          --help                  show this text

        The variable AZURE_STORAGE_CONNECTION_STRING names the account. Without it the program starts an Azurite of its own,
        which ends with it.

        Exits with 0 when all is done, with 1 when something failed, and with 2 when the options are wrong.
        """;

    private static final int MAX_PARALLELISM = 256;
    private static final int USUAL_PARALLELISM = 16;

    /** The verbs. */
    enum Verb {
        CP,
        SYNC,
        RM
    }

    private final Arguments arguments;
    private final @Nullable String connectionString;
    private final Verb verb;

    private BlobCommandOptions(Arguments arguments, @Nullable String connectionString, Verb verb) {
        this.arguments = arguments;
        this.connectionString = connectionString;
        this.verb = verb;
    }

    static BlobCommandOptions of(Arguments arguments, Map<String, String> environment) {
        List<String> words = arguments.words();
        if (words.isEmpty()) {
            throw new UsageException("cp, sync or rm is needed");
        }
        Verb verb =
                switch (words.get(0)) {
                    case "cp" -> Verb.CP;
                    case "sync" -> Verb.SYNC;
                    case "rm" -> Verb.RM;
                    default -> throw new UsageException("cp, sync or rm is needed, not " + words.get(0));
                };
        int needed = verb == Verb.RM ? 2 : 3;
        if (words.size() != needed) {
            throw new UsageException(words.get(0) + " needs " + (needed == 2 ? "a target" : "a source and a target")
                    + ", not " + (words.size() == 1 ? "nothing" : String.join(" ", words.subList(1, words.size()))));
        }
        BlobCommandOptions options = new BlobCommandOptions(arguments, environment.get(ProgramAccount.VARIABLE), verb);
        options.check(words.get(0));
        return options;
    }

    private void check(String word) {
        if (target().container() == null && (verb == Verb.RM || source().container() == null)) {
            throw new UsageException("one of both must be a directory of blobs: blob:CONTAINER/PREFIX");
        }
        if (arguments.has("--overwrite") && verb != Verb.CP) {
            throw new UsageException("--overwrite belongs to cp, not to " + word);
        }
        if (arguments.has("--md5") && verb != Verb.SYNC) {
            throw new UsageException("--md5 belongs to sync, not to " + word);
        }
        if (verb == Verb.RM && arguments.has("--mirror")) {
            throw new UsageException("rm mirrors nothing");
        }
        if (target().folder() == null && arguments.has("--remove-unfinished") && !arguments.has("--mirror")) {
            throw new UsageException("unfinished files are removed from a folder, not from " + target());
        }
        if (verb == Verb.RM && target().prefix().isEmpty() && !arguments.has("--include")) {
            throw new UsageException(target() + " is a whole container: say --include '**' to empty it");
        }
        try {
            onNothing(DirectorySettings.builder());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    Verb verb() {
        return verb;
    }

    BlobLocation source() {
        return BlobLocation.of(arguments.words().get(1));
    }

    BlobLocation target() {
        List<String> words = arguments.words();
        return BlobLocation.of(words.get(words.size() - 1));
    }

    /** Returns the settings of the command line on a builder. */
    DirectorySettings.Builder on(DirectorySettings.Builder builder) {
        if (arguments.has("--mirror")) {
            builder.mirror();
        }
        if (arguments.has("--remove-unfinished")) {
            builder.removeUnfinished();
        }
        if (arguments.has("--keep-properties")) {
            builder.keepProperties();
        }
        if (arguments.has("--delete-snapshots")) {
            builder.deleteSnapshots();
        }
        if (arguments.has("--md5")) {
            builder.compareMd5();
        }
        return onNothing(builder)
                .overwrite(
                        verb == Verb.SYNC
                                ? Overwrite.IF_DIFFERENT
                                : arguments.has("--overwrite") ? Overwrite.ALWAYS : Overwrite.NEVER);
    }

    /** Sets the options for an absent target, which a transfer need not list. */
    DirectorySettings.Builder onNothing(DirectorySettings.Builder builder) {
        arguments.values("--include").forEach(builder::include);
        arguments.values("--exclude").forEach(builder::exclude);
        if (dryRun()) {
            builder.dryRun();
        }
        return builder.overwrite(Overwrite.ALWAYS)
                .collectFailures()
                .parallelism(arguments.within("--parallelism", 1, MAX_PARALLELISM, USUAL_PARALLELISM));
    }

    boolean dryRun() {
        return arguments.has("--dry-run");
    }

    @Nullable
    String connectionString() {
        return connectionString;
    }
}
