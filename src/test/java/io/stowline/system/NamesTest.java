package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The names of the house style, read from the parsed main sources of all modules. */
class NamesTest {

    /** Words that say nothing to a stranger: of a server it is a response, of an outcome unresolved, of a limit max. */
    private static final Set<String> REFUSED_WORDS = Set.of(
            "answer",
            "answers",
            "answered",
            "doubt",
            "doubts",
            "told",
            "untold",
            "said",
            "asked",
            "asking",
            "tenure",
            "brought",
            "anew",
            "meanwhile",
            "whoever",
            "nobody",
            "somebody",
            "hear",
            "hears",
            "heard",
            "tell",
            "tells",
            "unheard",
            "held",
            "trying",
            "most");

    /** A filter reads as a sentence, {@code property.atMost(5)}; a lease is held, and a request is held back. */
    private static final Pattern ALLOWED =
            Pattern.compile("(?i)at_?most\\w*|(is|require|releaseIf)Held|\\w*held_?back");

    /** A variable is called what its type is called. */
    private static final Map<Pattern, Set<String>> REFUSED_FOR_TYPE = Map.ofEntries(
            refused("Exchange(<.*>)?", "call"),
            refused("\\w+Context(<.*>)?", "scope", "container"),
            refused("\\w+Operations(<.*>)?", "client"),
            refused("TableOperations", "table"),
            refused("MessageHeader", "envelope"),
            refused("MessageView", "look"),
            refused("BlobInfo|QueueInfo", "properties"),
            refused("OperationObserver", "observing"),
            refused("ClientRuntime", "connection"),
            refused("WriteTracker", "sending"),
            refused("PendingResponse", "request"),
            refused("WriteAheadLog", "journal", "journaled"),
            refused("\\w*Verifier", "judge"),
            refused("(?!FailureFacts).*", "facts", "FACTS"));

    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])");

    /** Samples and benchmarks are separate programs, which no other module sees. */
    private static final Pattern PROGRAMS = Pattern.compile("/(examples|photodrop|registrations|benchmarks)/src/");

    private static final int MAX_TYPES = 25;
    private static final int MAX_TYPES_OF_ENGINE = 40;

    private static final List<DeclaredName> NAMES = new ArrayList<>();

    /**
     * A name that a source file declares.
     *
     * @param file the file
     * @param name the simple name
     * @param type the type of a variable as it is written, or an empty text
     * @param kind what it names
     */
    private record DeclaredName(Path file, String name, String type, Kind kind) {

        boolean isType() {
            return kind != Kind.MEMBER;
        }

        String room() {
            String folder = file.getParent().toString();
            return folder.substring(folder.indexOf("/io/stowline") + 1);
        }
    }

    /** Tells types that other files may use from all else. */
    private enum Kind {
        TOP_LEVEL,
        NESTED_API,
        NESTED,
        MEMBER
    }

    @BeforeAll
    static void parse() throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(sources()));
            for (CompilationUnitTree unit : task.parse()) {
                new NameScanner(Path.of(unit.getSourceFile().toUri())).scan(unit, null);
            }
        }
    }

    @Test
    @DisplayName("no declared name has a word that the house style refuses")
    void wordsAreOfTheField() {
        assertThat(NAMES)
                .hasSizeGreaterThan(10_000)
                .filteredOn(name -> !ALLOWED.matcher(name.name()).matches())
                .filteredOn(name -> words(name.name()).anyMatch(REFUSED_WORDS::contains))
                .isEmpty();
    }

    @Test
    @DisplayName("a variable is called what its type is called")
    void variablesAreCalledLikeTheirTypes() {
        assertThat(NAMES)
                .filteredOn(name -> REFUSED_FOR_TYPE.entrySet().stream()
                        .anyMatch(rule -> rule.getKey().matcher(name.type()).matches()
                                && rule.getValue().contains(name.name())))
                .isEmpty();
    }

    /**
     * A nested type of an implementation is imported and read without its owner, so its simple name has one meaning. A nested type of
     * the API is read with its owner ({@code TransferReport.Action}), and a {@code Builder} is a convention.
     */
    @Test
    @DisplayName("a nested type of an implementation has a name that no other type has")
    void nestedTypesAreUnique() {
        Map<String, List<DeclaredName>> types = NAMES.stream()
                .filter(DeclaredName::isType)
                .filter(name -> !name.name().equals("Builder"))
                .filter(name -> !PROGRAMS.matcher(name.file().toString()).find())
                .collect(Collectors.groupingBy(DeclaredName::name));

        assertThat(types.values())
                .hasSizeGreaterThan(500)
                .filteredOn(same -> same.stream().anyMatch(name -> name.kind() == Kind.NESTED))
                .filteredOn(same -> same.size() > 1)
                .isEmpty();
    }

    @Test
    @DisplayName(
            "a room of an implementation has at most 25 types that other files may use, nested ones counted, and an"
                    + " engine 40")
    void roomsStaySmall() {
        Map<String, Long> rooms = NAMES.stream()
                .filter(DeclaredName::isType)
                .filter(name -> name.room().contains("/internal"))
                .collect(Collectors.groupingBy(DeclaredName::room, TreeMap::new, Collectors.counting()));

        assertThat(rooms).hasSizeGreaterThan(60).allSatisfy((room, types) -> assertThat(types)
                .as(room)
                .isLessThanOrEqualTo(room.endsWith("/engine") ? MAX_TYPES_OF_ENGINE : MAX_TYPES));
    }

    private static Map.Entry<Pattern, Set<String>> refused(String type, String... names) {
        return Map.entry(Pattern.compile(type), Set.of(names));
    }

    private static Stream<String> words(String name) {
        return WORD.matcher(name).results().map(word -> word.group().toLowerCase(Locale.ROOT));
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Project.root())) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/java/"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        }
    }

    /** Collects the declarations of one file. */
    private static final class NameScanner extends TreePathScanner<Void, Void> {

        private final Path file;
        private boolean api;
        private int depth;

        NameScanner(Path file) {
            this.file = file;
            this.api = !file.toString().contains("/internal/");
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            Set<Modifier> modifiers = type.getModifiers().getFlags();
            boolean before = api;
            api = api && (modifiers.contains(Modifier.PUBLIC) || isMemberOfInterface());
            if (!type.getSimpleName().isEmpty()) {
                Kind nested = modifiers.contains(Modifier.PRIVATE) ? Kind.MEMBER : api ? Kind.NESTED_API : Kind.NESTED;
                add(type.getSimpleName().toString(), "", depth == 0 ? Kind.TOP_LEVEL : nested);
            }
            depth++;
            super.visitClass(type, nothing);
            depth--;
            api = before;
            return null;
        }

        private boolean isMemberOfInterface() {
            return depth > 0
                    && getCurrentPath().getParentPath().getLeaf() instanceof ClassTree owner
                    && owner.getKind() == Tree.Kind.INTERFACE;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            add(method.getName().toString(), "", Kind.MEMBER);
            return super.visitMethod(method, nothing);
        }

        @Override
        public Void visitVariable(VariableTree variable, Void nothing) {
            String type = variable.getType() == null ? "" : variable.getType().toString();
            add(variable.getName().toString(), type, Kind.MEMBER);
            return super.visitVariable(variable, nothing);
        }

        private void add(String name, String type, Kind kind) {
            NAMES.add(new DeclaredName(file, name, type, kind));
        }
    }
}
