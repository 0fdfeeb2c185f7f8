package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Keeps words out of documents, Javadoc and messages that leave open who does what, and openings out of Javadoc that leave
 * open what it documents (decision 174).
 */
@DisplayName("documents, Javadoc and messages name who acts")
class ProseTest {

    private static final Pattern BANNED = Pattern.compile(
            "\\b(told|said|asked|under way|anew|meanwhile|nobody|whoever|somebody|of its own)\\b"
                    + "|\\b(no|not|never)\\b[^.;]{0,60}\\bany more\\b",
            Pattern.CASE_INSENSITIVE);

    /** A class does not speak: it returns, names, reports or is notified. */
    private static final Pattern SPEECH = Pattern.compile(
            "\\b(asks?|asked|says?|said|tells?|told|hears?|heard|answers?|answered|doubt)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Pronouns and conjunctions, where a noun or a verb should stand. */
    private static final Pattern OPENING = Pattern.compile(
            "^(What|Who|Whose|Whom|Those|None|Nothing|Nobody|Whether|How|The same|It|Its|They|That|One that|As"
                    + " \\{@|Apart|Where|When|Why|If|Of)\\b");

    private static final Pattern MAIN = Pattern.compile(".*/src/main/(java|kotlin)/.*\\.(java|kt)");
    private static final Pattern JAVADOC = Pattern.compile("(?<=[\\s(])/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\\n]*`", Pattern.DOTALL);
    private static final Pattern LIBRARY = Pattern.compile(
            "^(retry|batching|projection|caching|processor|journal|client|advisor|ring|records|logback|kotlin|spark|testkit|spring-boot|spring-boot-test)/src/main/(java|kotlin)/.*\\.(java|kt)$");

    @Test
    void documents() throws IOException {
        assertThat(files())
                .filteredOn(file -> file.endsWith(".md"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(found(CODE.matcher(text(file)).replaceAll("")))
                        .as(file)
                        .isEmpty());
    }

    @Test
    void javadoc() throws IOException {
        assertThat(javadoc(file -> MAIN.matcher(file).matches()))
                .isNotEmpty()
                .flatExtracting(comment -> comment.refused(BANNED))
                .isEmpty();
    }

    @Test
    void speech() throws IOException {
        assertThat(javadoc(file -> MAIN.matcher(file).matches()))
                .isNotEmpty()
                .flatExtracting(comment -> comment.refused(SPEECH))
                .isEmpty();
    }

    /** A type's comment begins with a noun, a method's with a verb: the reader of a list of names sees only this much. */
    @Test
    void openings() throws IOException {
        assertThat(javadoc(file -> file.endsWith(".java") || file.endsWith(".kt")))
                .isNotEmpty()
                .flatExtracting(comment -> comment.refused(OPENING))
                .isEmpty();
    }

    @Test
    void messages() throws IOException {
        assertThat(files())
                .filteredOn(file -> LIBRARY.matcher(file).matches())
                .isNotEmpty()
                .allSatisfy(file -> {
                    Matcher literals =
                            LITERAL.matcher(COMMENT.matcher(text(file)).replaceAll(""));
                    assertThat(literals.results().map(literal -> literal.group(1)))
                            .as(file)
                            .allSatisfy(literal -> assertThat(found(literal)).isEmpty());
                });
    }

    private static List<String> found(String text) {
        return BANNED.matcher(text).results().map(MatchResult::group).toList();
    }

    private static List<Comment> javadoc(Predicate<String> wanted) throws IOException {
        return files().stream()
                .filter(wanted)
                .flatMap(file ->
                        JAVADOC.matcher(text(file)).results().map(comment -> Comment.of(file, comment.group(1))))
                .toList();
    }

    /** The files of the project, by their paths in it. */
    private static List<String> files() throws IOException {
        Path root = Project.root();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(file ->
                            !file.contains("target/") && !file.contains("node_modules/") && !file.startsWith(".git/"))
                    .filter(file -> file.endsWith(".md") || file.endsWith(".java") || file.endsWith(".kt"))
                    .toList();
        }
    }

    private static String text(String file) {
        try {
            return Files.readString(Project.root().resolve(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A Javadoc comment, in one line. */
    private record Comment(String file, String text) {

        static Comment of(String file, String body) {
            return new Comment(file, body.replaceAll("\\s*\\n\\s*\\*\\s*", " ").strip());
        }

        /** Returns each refused word with the file and the words around it. */
        List<String> refused(Pattern refused) {
            return refused.matcher(text)
                    .results()
                    .map(word -> "'" + word.group() + "' in " + file + ": "
                            + text.substring(Math.max(0, word.start() - 60), Math.min(text.length(), word.end() + 60)))
                    .toList();
        }
    }
}
