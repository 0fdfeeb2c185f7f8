package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName(
        "the workflows run the commands of the README on the JDKs of the compatibility table, with the least permissions")
class WorkflowsTest {

    private static final Path ROOT = Project.root();
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true)
            .build();

    /** The keys that our workflows need, of those that the schema has. */
    private static final Set<String> WORKFLOW_KEYS = Set.of("name", "on", "permissions", "concurrency", "jobs");

    private static final Set<String> JOB_KEYS =
            Set.of("name", "runs-on", "timeout-minutes", "permissions", "strategy", "continue-on-error", "steps");
    private static final Set<String> ACTION_KEYS = Set.of("name", "if", "uses", "with");
    private static final Set<String> COMMAND_KEYS = Set.of("name", "if", "run", "shell");

    /** Events of the branch, and of pull requests without the rights of the repository. */
    private static final Set<String> EVENTS = Set.of("push", "pull_request", "schedule", "workflow_dispatch");

    private static final Pattern USES = Pattern.compile("^ +-? ?uses: (.*)$", Pattern.MULTILINE);
    private static final Pattern PINNED =
            Pattern.compile("([a-z]+/[a-z-]+)(?:/[a-z-]+)?@([0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+)");
    private static final Pattern SHELL_BLOCK =
            Pattern.compile("^```sh\\n(.*?)\\n```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern JAVA_ROW = Pattern.compile("(?m)^\\| Java \\| (\\d+) to (\\d+) \\| (.*) \\|$");
    private static final Pattern RELEASE = Pattern.compile("<maven.compiler.release>(\\d+)</maven.compiler.release>");
    private static final Pattern OLDEST_NODE = Pattern.compile("Node\\.js (\\d+) or newer");
    private static final Pattern JDK = Pattern.compile("\\b[12]\\d\\b");

    @Test
    @DisplayName("a workflow has jobs, a job has a machine, an end and steps, a step uses an action or runs a command")
    void form() {
        assertThat(workflows()).isNotEmpty().allSatisfy((file, workflow) -> {
            assertThat(keys(workflow)).as(file).isEqualTo(WORKFLOW_KEYS);
            assertThat(keys(workflow.path("on"))).as(file).isNotEmpty().isSubsetOf(EVENTS);
            assertThat(keys(workflow.path("concurrency"))).as(file).contains("group", "cancel-in-progress");
            assertThat(jobs(workflow)).as(file).isNotEmpty().allSatisfy(job -> {
                assertThat(keys(job)).as(file).isSubsetOf(JOB_KEYS).contains("runs-on", "timeout-minutes");
                assertThat(steps(job)).as(file).isNotEmpty().allSatisfy(step -> {
                    assertThat(step.has("uses")).as(step.toString()).isNotEqualTo(step.has("run"));
                    assertThat(keys(step))
                            .as(step.toString())
                            .isSubsetOf(step.has("uses") ? ACTION_KEYS : COMMAND_KEYS);
                });
            });
        });
    }

    @Test
    @DisplayName("an action is pinned by its full hash, the same one everywhere, with its version beside it")
    void actions() {
        Map<String, Set<String>> hashes = texts().values().stream()
                .flatMap(text -> USES.matcher(text).results().map(uses -> uses.group(1)))
                .peek(uses -> assertThat(uses).matches(PINNED))
                .flatMap(uses -> PINNED.matcher(uses).results())
                .collect(Collectors.groupingBy(
                        uses -> uses.group(1), Collectors.mapping(uses -> uses.group(2), Collectors.toSet())));

        assertThat(hashes)
                .isNotEmpty()
                .allSatisfy((action, pinned) -> assertThat(pinned).as(action).hasSize(1));
    }

    @Test
    @DisplayName("a workflow reads the content of the repository; only the upload of findings writes")
    void permissions() {
        assertThat(workflows()).allSatisfy((file, workflow) -> {
            assertThat(workflow.path("permissions")).as(file).hasToString("{\"contents\":\"read\"}");
            assertThat(jobs(workflow).map(job -> job.path("permissions")).filter(JsonNode::isObject))
                    .as(file)
                    .allSatisfy(permissions -> assertThat(permissions)
                            .hasToString("{\"contents\":\"read\",\"security-events\":\"write\"}"));
        });
    }

    @Test
    @DisplayName("no workflow has a secret or a token, keeps credentials, or lets the text of an event into a command")
    void secrets() {
        assertThat(texts()).allSatisfy((file, text) -> assertThat(text)
                .as(file)
                .doesNotContainIgnoringCase("secrets", "token", "pull_request_target"));
        assertThat(steps()).allSatisfy(step -> {
            assertThat(step.path("run").asText()).doesNotContain("${{");
            if (step.path("uses").asText().startsWith("actions/checkout@")) {
                assertThat(step.path("with").path("persist-credentials").asText())
                        .isEqualTo("false");
            }
        });
    }

    @Test
    @DisplayName("the quick start is the first command of the README")
    void quickStart() {
        assertThat(commands(job("quick-start")))
                .containsExactly(readmeCommands().get(0));
    }

    @Test
    @DisplayName("all tests are .ci/run, which begins with the second command of the README")
    void allTests(@TempDir Path folder) throws IOException, InterruptedException {
        assertThat(commands(job("tests"))).containsExactly(".ci/run");
        assumeThat(Path.of("/bin/bash")).isExecutable();
        for (String program : List.of("mvn", "npm", "chromium", "chromedriver", "find")) {
            Files.createFile(
                    folder.resolve(program),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            Files.writeString(folder.resolve(program), "#!/bin/sh\n");
        }
        ProcessBuilder run = new ProcessBuilder(ROOT.resolve(".ci/run").toString()).redirectErrorStream(true);
        run.environment().merge("PATH", folder + ":", (path, stubs) -> stubs + path);
        Process process = run.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.startsWith("+ ")))
                .hasSize(5)
                .first()
                .isEqualTo("+ " + readmeCommands().get(1));
    }

    @Test
    @DisplayName("another command is a program in .ci, or Maven as CONTRIBUTING.md has it")
    void otherCommands() throws IOException {
        String contributing = Files.readString(ROOT.resolve("CONTRIBUTING.md"));

        assertThat(commands(steps())
                        .filter(command -> !command.equals(readmeCommands().get(0))))
                .isNotEmpty()
                .allSatisfy(command -> {
                    if (command.startsWith("mvn ")) {
                        assertThat(contributing).contains("`" + command + "`");
                    } else {
                        assertThat(ROOT.resolve(command.split(" ")[0]))
                                .hasParent(ROOT.resolve(".ci"))
                                .isExecutable();
                    }
                });
    }

    @Test
    @DisplayName("the JDKs are those of the compatibility table, from the compiler's release to the newest")
    void jdks() throws IOException {
        MatchResult row = first(JAVA_ROW, "docs/compatibility.md");
        Set<Integer> tested = new TreeSet<>(JDK.matcher(row.group(3))
                .results()
                .map(number -> Integer.valueOf(number.group()))
                .toList());

        assertThat(first(RELEASE, "parent/pom.xml").group(1)).isEqualTo(row.group(1));
        assertThat(tested)
                .startsWith(Integer.valueOf(row.group(1)))
                .endsWith(Integer.valueOf(row.group(2)))
                .isEqualTo(matrix(job("tests"), "java"))
                .isEqualTo(matrix(job("quick-start"), "java"));
        assertThat(steps().map(step -> step.path("with").path("java-version"))
                        .filter(JsonNode::isInt)
                        .map(JsonNode::intValue))
                .isNotEmpty()
                .isSubsetOf(tested);
    }

    @Test
    @DisplayName("the oldest Node.js is the one that the README requires")
    void nodes() throws IOException {
        Integer oldest = Integer.valueOf(first(OLDEST_NODE, "README.md").group(1));

        assertThat(matrix(job("tests"), "node")).startsWith(oldest);
        assertThat(matrix(job("quick-start"), "node")).startsWith(oldest);
    }

    private static Set<Integer> matrix(JsonNode job, String axis) {
        return elements(job.path("strategy").path("matrix").path("include"))
                .map(row -> row.path(axis).intValue())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonNode job(String name) {
        return workflows().get("build.yml").path("jobs").path(name);
    }

    private static List<String> commands(JsonNode job) {
        return commands(steps(job)).toList();
    }

    private static Stream<String> commands(Stream<JsonNode> steps) {
        return steps.filter(step -> step.has("run"))
                .map(step -> step.path("run").asText());
    }

    private static List<String> readmeCommands() {
        return SHELL_BLOCK
                .matcher(text(ROOT.resolve("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static Stream<JsonNode> steps() {
        return workflows().values().stream().flatMap(WorkflowsTest::jobs).flatMap(WorkflowsTest::steps);
    }

    private static Stream<JsonNode> steps(JsonNode job) {
        return elements(job.path("steps"));
    }

    private static Stream<JsonNode> jobs(JsonNode workflow) {
        return elements(workflow.path("jobs"));
    }

    private static Stream<JsonNode> elements(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false);
    }

    private static Set<String> keys(JsonNode node) {
        return node.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    private static MatchResult first(Pattern pattern, String file) {
        return pattern.matcher(text(ROOT.resolve(file))).results().findFirst().orElseThrow();
    }

    private static Map<String, JsonNode> workflows() {
        return texts().entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, file -> yaml(file.getValue())));
    }

    private static Map<String, String> texts() {
        try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
            return files.collect(Collectors.toMap(file -> file.getFileName().toString(), WorkflowsTest::text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
