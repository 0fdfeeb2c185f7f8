package io.stowline.examples.blobs;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Compare;
import io.stowline.blob.DirectorySettings.OnFailure;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.Program.ProgramOptions;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the command line asks for. Filled while it is read, then only read. */
final class BlobCommandOptions implements ProgramOptions {

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

    private static final int MOST_PARALLELISM = 256;

    /** The verbs. */
    enum Verb {
        CP,
        SYNC,
        RM
    }

    private final List<String> words = new ArrayList<>();
    private final DirectorySettings.Builder settings =
            DirectorySettings.builder().onFailure(OnFailure.COLLECT);
    private final @Nullable String connectionString;
    private @Nullable Verb verb;
    private boolean overwrite;
    private boolean includes;
    private boolean dryRun;
    private boolean help;

    private BlobCommandOptions(@Nullable String connectionString) {
        this.connectionString = connectionString;
    }

    static BlobCommandOptions parse(List<String> arguments, Map<String, String> environment) {
        BlobCommandOptions options = new BlobCommandOptions(environment.get(ProgramAccount.VARIABLE));
        new Arguments(arguments).forEach(options::take);
        if (!options.help) {
            options.complete();
        }
        return options;
    }

    private void take(String option, Arguments rest) {
        switch (option) {
            case "--include" -> {
                includes = true;
                glob(rest.value(option), settings::include);
            }
            case "--exclude" -> glob(rest.value(option), settings::exclude);
            case "--overwrite" -> overwrite = true;
            case "--md5" -> settings.compare(Compare.MD5);
            case "--mirror" -> settings.mirror();
            case "--remove-unfinished" -> settings.removeUnfinished();
            case "--keep-properties" -> settings.keepProperties();
            case "--delete-snapshots" -> settings.deleteSnapshots();
            case "--dry-run" -> {
                dryRun = true;
                settings.dryRun();
            }
            case "--parallelism" -> settings.parallelism(rest.within(option, 1, MOST_PARALLELISM));
            case "--help" -> help = true;
            default -> word(option);
        }
    }

    /** Takes a pattern. */
    private interface GlobSetter {
        DirectorySettings.Builder add(String glob);
    }

    private static void glob(String glob, GlobSetter setter) {
        try {
            DirectorySettings.Builder unused = setter.add(glob);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private void word(String word) {
        if (word.startsWith("--")) {
            throw new UsageException("unknown option " + word);
        }
        words.add(word);
    }

    private void complete() {
        if (words.isEmpty()) {
            throw new UsageException("cp, sync or rm is needed");
        }
        verb = switch (words.get(0)) {
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
        if (target().container() == null && (verb == Verb.RM || source().container() == null)) {
            throw new UsageException("one of both must be a directory of blobs: blob:CONTAINER/PREFIX");
        }
        if (overwrite && verb != Verb.CP) {
            throw new UsageException("--overwrite belongs to cp, not to " + words.get(0));
        }
        if (settings.build().compare() == Compare.MD5 && verb != Verb.SYNC) {
            throw new UsageException("--md5 belongs to sync, not to " + words.get(0));
        }
        if (verb == Verb.RM && settings.build().mirror()) {
            throw new UsageException("rm mirrors nothing");
        }
        if (target().folder() == null
                && settings.build().removesUnfinished()
                && !settings.build().mirror()) {
            throw new UsageException("unfinished files are removed from a folder, not from " + target());
        }
        if (verb == Verb.RM && target().prefix().isEmpty() && !includes) {
            throw new UsageException(target() + " is a whole container: say --include '**' to empty it");
        }
        settings.overwrite(verb == Verb.SYNC ? Overwrite.IF_DIFFERENT : overwrite ? Overwrite.ALWAYS : Overwrite.NEVER);
    }

    Verb verb() {
        return Objects.requireNonNull(verb, "parsed");
    }

    BlobLocation source() {
        return BlobLocation.of(words.get(1));
    }

    BlobLocation target() {
        return BlobLocation.of(words.get(words.size() - 1));
    }

    DirectorySettings settings() {
        return settings.build();
    }

    /** The settings of the command line on another builder. */
    DirectorySettings.Builder on(DirectorySettings.Builder builder) {
        DirectorySettings given = settings();
        if (given.mirror()) {
            builder.mirror();
        }
        if (given.removesUnfinished()) {
            builder.removeUnfinished();
        }
        if (given.keepsProperties()) {
            builder.keepProperties();
        }
        if (given.deletesSnapshots()) {
            builder.deleteSnapshots();
        }
        return onNothing(builder).overwrite(given.overwrite()).compare(given.compare());
    }

    /** The same for a target that is not there, which a transfer need not list. */
    DirectorySettings.Builder onNothing(DirectorySettings.Builder builder) {
        DirectorySettings given = settings();
        given.includes().forEach(builder::include);
        given.excludes().forEach(builder::exclude);
        if (given.dryRun()) {
            builder.dryRun();
        }
        return builder.overwrite(Overwrite.ALWAYS).onFailure(given.onFailure()).parallelism(given.parallelism());
    }

    boolean dryRun() {
        return dryRun;
    }

    @Nullable
    String connectionString() {
        return connectionString;
    }

    @Override
    public boolean help() {
        return help;
    }

    @Override
    public String description() {
        return HELP;
    }
}
