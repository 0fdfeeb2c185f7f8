package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The budgets of the house style, measured on the sources. */
class HouseTest {

    private static final int MAX_FILE = 310;
    /** A face of an interface delegates each of its verbs. */
    private static final int MAX_FACE = 400;

    private static final int MAX_PACKAGE = 25;

    /** The package that may be larger: a flat API. */
    private static final Map<String, Integer> LARGER_PACKAGES = Map.of("io/stowline/table", 39, "io/stowline/blob", 46);

    /** The real figures, nested types counted, so that a further type needs a decision. */
    private static final int MAX_PUBLIC_TYPES = 279;

    private static final int MAX_PUBLIC_TYPES_OF_TESTKIT = 36;
    private static final int MAX_PUBLIC_TYPES_FOR_SPRING = 111;
    private static final int MAX_PUBLIC_TYPES_OF_ADVISOR = 14;
    private static final int MAX_PUBLIC_TYPES_OF_RING = 22;
    private static final int MAX_PUBLIC_TYPES_OF_LOGBACK = 3;
    private static final int MAX_PUBLIC_TYPES_OF_RECORDS = 25;
    private static final Pattern PUBLIC_TYPE = Pattern.compile("^\\S.* (io\\.stowline\\.\\S+)");
    private static final Pattern LIBRARY_ROOM = Pattern.compile(
            "/(retry|batching|projection|caching|journal|client|advisor|ring|records|logback|processor|spark)/src/main/java/.*/internal/");
    private static final Pattern LIBRARY = Pattern.compile(
            "(?<!/examples)/(retry|batching|projection|caching|journal|client|advisor|ring|records|logback|processor|spark)/src/main/java/");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(io\\.stowline(?:\\.[a-z]\\w*)*)\\.[A-Z]");
    /** {@code MessageCodec} makes the library's codecs. */
    private static final Pattern API_OF_CLIENT =
            Pattern.compile("/client/src/main/java/io/stowline/[a-z]+/(?!MessageCodec)[A-Z]\\w*\\.java$");

    private static final Pattern ROOM_IMPORT = Pattern.compile("(?m)^import (io\\.stowline\\.\\S*internal\\.\\S+);");
    private static final Pattern LEAF =
            Pattern.compile("^io\\.stowline\\.(error\\.internal\\.|projection\\.internal\\.(edm|type)\\."
                    + "|blob\\.internal\\.rule\\.|queue\\.internal\\.rule\\.|transport\\.internal\\.(outcome\\.(StoredTexts|MetadataRules)"
                    + "|request\\.HeaderValues))");
    private static final Pattern SLEEP = Pattern.compile("(Thread|[A-Z]{2,})\\.sleep\\(|Awaitility\\.await");

    /** The tests that watch another process, a service or a page, or play one that takes time. */
    private static final Set<String> SLEEPERS = Set.of(
            "/ledger/",
            "OutboxProcessesIT",
            "RecordFaultsIT",
            "TableKillTest",
            "ConfirmationTest",
            "RunnerImportTest",
            "registrations/ShutdownTest",
            "PhotoDropTest",
            "PhotoPageTest");

    private static final Pattern PARAGRAPH = Pattern.compile("<p>");
    private static final Pattern SENTENCE_END = Pattern.compile("\\.(?=\\s)");

    /** By the sources: a constant of a room is no dependency in the byte code. */
    @Test
    @DisplayName("the API of the client imports no room but leaves")
    void theApiImportsLeavesOnly() throws IOException {
        List<String> imports = new ArrayList<>();
        for (Path file : mainSources()) {
            if (API_OF_CLIENT.matcher(file.toString()).find()) {
                ROOM_IMPORT
                        .matcher(Files.readString(file))
                        .results()
                        .map(match -> match.group(1))
                        .filter(room -> !LEAF.matcher(room).find())
                        .forEach(room -> imports.add(file.getFileName() + " imports " + room));
            }
        }

        assertThat(imports).isEmpty();
    }

    @Test
    void filesStaySmall() throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path file : mainSources()) {
            sizes.put(file, codeLines(file));
        }

        assertThat(sizes).isNotEmpty().allSatisfy((file, lines) -> assertThat(lines)
                .as("lines of code in " + file)
                .isLessThanOrEqualTo(file.getFileName().toString().startsWith("Default") ? MAX_FACE : MAX_FILE));
    }

    @Test
    void packagesStaySmall() throws IOException {
        Map<String, Long> sizes =
                mainTypes().collect(Collectors.groupingBy(HouseTest::packageOf, TreeMap::new, Collectors.counting()));

        assertThat(sizes).isNotEmpty().allSatisfy((name, types) -> assertThat(types)
                .as("types in " + name)
                .isLessThanOrEqualTo(LARGER_PACKAGES.getOrDefault(name, MAX_PACKAGE)));
        assertThat(sizes)
                .as("exceptions that are no package")
                .containsKeys(LARGER_PACKAGES.keySet().toArray(String[]::new));
    }

    @Test
    @DisplayName("one simple name has one meaning in all modules")
    void namesAreUnique() throws IOException {
        Map<String, List<Path>> byName = mainTypes()
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));

        assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }

    @Test
    @DisplayName("a room says in three sentences what it holds, who calls it and what it calls")
    void roomsSayWhatTheyAre() throws IOException {
        assertThat(mainSources())
                .filteredOn(file -> file.endsWith("package-info.java"))
                .filteredOn(file -> LIBRARY_ROOM.matcher(file.toString()).find())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(SENTENCE_END.matcher(text(file)).results())
                        .as("sentences in " + file)
                        .hasSizeGreaterThanOrEqualTo(3));
    }

    @Test
    @DisplayName("the door of a public package has three to five paragraphs, links its entry and shows an example")
    void publicPackagesHaveADoor() throws IOException {
        assertThat(mainSources())
                .filteredOn(file -> file.endsWith("package-info.java"))
                .filteredOn(file -> LIBRARY.matcher(file.toString()).find()
                        && !file.toString().contains("/internal/"))
                .isNotEmpty()
                .allSatisfy(file -> {
                    assertThat(text(file)).contains("{@link ", "<pre>{@code");
                    assertThat(PARAGRAPH.matcher(text(file)).results().count() + 1)
                            .as("paragraphs of " + file)
                            .isBetween(3L, 5L);
                });
    }

    /** {@code ArchitectureTest} reads byte code, which has no links. */
    @Test
    @DisplayName("imports of rooms go one way, those for a link of Javadoc too")
    void importsGoOneWay() throws IOException {
        Map<String, Set<String>> imports = new TreeMap<>();
        mainTypes().filter(file -> file.toString().contains("/internal/")).forEach(file -> imports.computeIfAbsent(
                        packageOf(file), room -> new TreeSet<>())
                .addAll(imported(file)));
        assertThat(imports).isNotEmpty();

        boolean ends = true;
        while (ends) {
            ends = imports.values().removeIf(rooms -> rooms.stream().noneMatch(imports::containsKey));
            ends |= imports.keySet()
                    .removeIf(room -> imports.values().stream().noneMatch(rooms -> rooms.contains(room)));
        }

        assertThat(imports.keySet()).as("rooms of a cycle").isEmpty();
    }

    private static Set<String> imported(Path file) {
        return IMPORT.matcher(text(file))
                .results()
                .map(found -> found.group(1).replace('.', '/'))
                .filter(room -> !room.equals(packageOf(file)))
                .collect(Collectors.toSet());
    }

    /** By the sources: these tests do not have Spark on their class path. */
    @Test
    @DisplayName("the module for Apache Spark imports the public API of other modules only")
    void sparkUsesThePublicApi() throws IOException {
        List<String> imports = new ArrayList<>();
        for (Path file : mainSources()) {
            if (file.toString().contains("/spark/src/main/java/")) {
                IMPORT.matcher(text(file))
                        .results()
                        .map(found -> found.group(1))
                        .filter(room -> room.contains(".internal") && !room.startsWith("io.stowline.spark."))
                        .forEach(room -> imports.add(file.getFileName() + " imports " + room));
            }
        }

        assertThat(imports).isEmpty();
    }

    @Test
    @DisplayName("the picture of the rooms shows each room of the library")
    void thePictureShowsEachRoom() throws IOException {
        String picture = Files.readString(Project.root().resolve("docs/images/rooms.svg"))
                .replaceFirst("(?s)<desc.*?</desc>", "");
        Map<String, Long> rooms = mainTypes()
                .filter(file -> LIBRARY_ROOM.matcher(file.toString()).find())
                .map(Path::getParent)
                .distinct()
                .filter(room -> !room.endsWith("internal"))
                .collect(Collectors.groupingBy(room -> room.getFileName().toString(), Collectors.counting()));

        assertThat(rooms).isNotEmpty().allSatisfy((name, count) -> assertThat(Pattern.compile("[ >.]" + name + "[:,;<]")
                        .matcher(picture)
                        .results())
                .as("rooms that are called " + name)
                .hasSizeGreaterThanOrEqualTo(count.intValue()));
    }

    @Test
    @DisplayName("public types stay few, nested ones counted")
    void thePublicApiStaysSmall() throws IOException {
        Map<String, List<String>> publicTypes =
                Files.readAllLines(Project.root().resolve("docs/internals/api.txt")).stream()
                        .map(PUBLIC_TYPE::matcher)
                        .filter(Matcher::find)
                        .map(type -> type.group(1))
                        .collect(Collectors.groupingBy(HouseTest::artifact));

        assertThat(publicTypes.get("library")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES);
        assertThat(publicTypes.get("testkit")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES_OF_TESTKIT);
        assertThat(publicTypes.get("spring")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES_FOR_SPRING);
        assertThat(publicTypes.get("advisor")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES_OF_ADVISOR);
        assertThat(publicTypes.get("ring")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES_OF_RING);
        assertThat(publicTypes.get("logback")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES_OF_LOGBACK);
        assertThat(publicTypes.get("records")).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES_OF_RECORDS);
    }

    @Test
    void everyPackageIsNullMarked() throws IOException {
        assertThat(mainSources().stream().map(Path::getParent).distinct())
                .filteredOn(folder -> !folder.endsWith("java"))
                .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                        .content()
                        .contains("@NullMarked"));
    }

    /** A property with an annotation of JUnit's is skipped without a failure; it takes jqwik's own label. */
    @Test
    void propertiesAreNotSkipped() throws IOException {
        Pattern skipped = Pattern.compile(
                "@(DisplayName|Test|Disabled|Tag)\\b[^;{}]*@Property\\b|@Property\\b[^;{}]*@(DisplayName|Test|Disabled|Tag)\\b");

        assertThat(sources("src/test/java"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file).content().doesNotContainPattern(skipped));
    }

    /** Real time is slow, and proves nothing on a busy machine: a test moves a clock, or waits for an event. */
    @Test
    @DisplayName("no test sleeps, but for those that watch or play another process")
    void testsDoNotSleep() throws IOException {
        List<Path> sleeping = sources("src/test/java").stream()
                .filter(file -> SLEEP.matcher(text(file)).find())
                .filter(file -> !file.endsWith("HouseTest.java"))
                .toList();

        assertThat(sleeping).allMatch(file -> SLEEPERS.stream().anyMatch(file.toString()::contains));
        assertThat(SLEEPERS).allMatch(name -> sleeping.stream()
                .anyMatch(file -> file.toString().contains(name)));
    }

    private static String artifact(String type) {
        return Stream.of("testkit", "spring", "advisor", "ring", "records", "logback")
                .filter(name -> type.startsWith("io.stowline." + name + "."))
                .findFirst()
                .orElse("library");
    }

    private static Stream<Path> mainTypes() throws IOException {
        return mainSources().stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .filter(file -> !file.endsWith("module-info.java"));
    }

    private static String packageOf(Path file) {
        String folder = file.getParent().toString();
        return folder.substring(folder.indexOf("/java/") + "/java/".length());
    }

    private static List<Path> mainSources() throws IOException {
        return sources("src/main/java");
    }

    private static List<Path> sources(String folder) throws IOException {
        Path root = Project.root();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> root.relativize(file).toString().contains(folder))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        }
    }

    private static long codeLines(Path file) {
        return text(file)
                .lines()
                .map(String::strip)
                .filter(line ->
                        !line.isEmpty() && !line.startsWith("//") && !line.startsWith("*") && !line.startsWith("/*"))
                .count();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
