package io.stowline.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.option.WriteMode;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide {@code docs/spark.md}, compared with the code. */
class GuideTest {

    private static final Path GUIDE =
            Path.of(System.getProperty("basedir", ".")).resolve("../docs/spark.md");
    private static final Path SOURCES =
            Path.of(System.getProperty("basedir", ".")).resolve("src/main/java/io/stowline/spark");
    private static final Pattern OPTION = Pattern.compile("(?m)^\\| `(\\w+)` \\| ([^|]+) \\|");
    private static final Pattern SNIPPET = Pattern.compile("```java spark\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern JAVADOC = Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);
    private static final String FRAME = """
        import com.azure.core.credential.TokenCredential;
        import io.stowline.*;
        import io.stowline.spark.*;
        import java.util.*;
        import org.apache.spark.sql.*;
        import org.apache.spark.sql.streaming.*;

        class Snippet {
            SparkSession spark;
            Dataset<Row> events;
            static class DefaultAzureCredentialBuilder {
                TokenCredential build() {
                    throw new UnsupportedOperationException();
                }
            }
        """;

    @Test
    void hasEveryOption() throws IOException {
        String message = catchThrowable(() -> AzureTableOptions.of(Map.of("nonsense", "")))
                .getMessage();
        List<String> known = Arrays.asList(
                message.replaceAll("(?s).*it has (.*) and credential.*", "$1").split(", "));

        assertThat(options().keySet()).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void hasTheDefaults() throws IOException {
        AzureTableOptions defaults =
                AzureTableOptions.of(Map.of("table", "cities", "connectionStringEnv", "STORAGE_SECRET"));

        assertThat(options())
                .containsEntry("schemaSampleSize", Integer.toString(defaults.schemaSampleSize()))
                .containsEntry("schemaConflicts", "`" + defaults.conflicts().option() + "`")
                .containsEntry("writeMode", "`" + defaults.writeMode().option() + "`")
                .containsEntry("markerColumn", "`" + defaults.markerColumn() + "`")
                .containsEntry("clustering", "`" + defaults.clustering().option() + "`")
                .containsEntry("createTable", "`" + defaults.createTable() + "`");
    }

    @Test
    void hasEveryWriteMode() throws IOException {
        String modes = section("Write");

        assertThat(WriteMode.values()).allSatisfy(mode -> assertThat(modes).contains("| `" + mode.option() + "` |"));
    }

    @Test
    void snippetsCompile(@TempDir Path folder) throws IOException {
        List<String> snippets = new ArrayList<>();
        SNIPPET.matcher(Files.readString(GUIDE))
                .results()
                .map(match -> match.group(1))
                .forEach(snippets::add);
        for (String source : List.of("package-info.java", "AzureTableSource.java", "TableCredentials.java")) {
            JAVADOC.matcher(Files.readString(SOURCES.resolve(source)))
                    .results()
                    .map(match -> match.group(1).replaceAll("(?m)^ \\* ?", ""))
                    .forEach(snippets::add);
        }

        assertThat(snippets).hasSizeGreaterThan(3).allSatisfy(snippet -> {
            boolean isClass = snippet.contains("class ");
            String code = FRAME + (isClass ? snippet : "void snippet() throws Exception {\n" + snippet + "}\n") + "}\n";
            StringWriter errors = new StringWriter();
            JavaFileObject source =
                    new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreErrors) {
                            return code;
                        }
                    };
            boolean compiled = ToolProvider.getSystemJavaCompiler()
                    .getTask(errors, null, null, List.of("-proc:none", "-d", folder.toString()), null, List.of(source))
                    .call();
            assertThat(compiled).as(snippet + errors).isTrue();
        });
    }

    private static Map<String, String> options() throws IOException {
        Map<String, String> options = new TreeMap<>();
        OPTION.matcher(section("Options"))
                .results()
                .forEach(match -> options.put(match.group(1), match.group(2).strip()));
        return options;
    }

    private static String section(String heading) throws IOException {
        return Stream.of(Files.readString(GUIDE).split("(?m)^## "))
                .filter(section -> section.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow();
    }
}
