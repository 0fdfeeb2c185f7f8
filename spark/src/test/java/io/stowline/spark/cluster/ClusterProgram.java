package io.stowline.spark.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import reactor.netty.http.client.HttpClient;
import scala.Option;

/** The application of a test's cluster. It takes one command in each line of its input, and prints the end of each. */
public final class ClusterProgram {

    static final String PREFIX = "command ";

    /** The environment variable with the account's key, and that with a signature. */
    static final String ACCOUNT = "STOWLINE_SPARK_ACCOUNT";

    static final String SIGNED = "STOWLINE_SPARK_SIGNED";

    private ClusterProgram() {}

    /** Takes commands until its input ends. */
    public static void main(String[] args) throws IOException {
        try (SparkSession spark =
                SparkSession.builder().appName("cluster").master(cluster()).getOrCreate()) {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                String end;
                try {
                    end = "DONE " + run(spark, words);
                } catch (Exception e) {
                    e.printStackTrace();
                    end = "FAILED " + e;
                }
                System.out.println(PREFIX + words[0] + " " + end.replace('\n', ' '));
            }
        }
    }

    /**
     * Starts a master and two workers, whose executors have one slot each. The workers have two names for this machine, since Spark starts no
     * copy of a slow task on the host that it runs on.
     */
    private static String cluster() {
        SparkConf settings = new SparkConf().set("spark.master.rest.enabled", "false");
        String address = Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, settings)
                ._1()
                .address()
                .toSparkURL();
        int number = 1;
        for (String host : List.of("127.0.0.1", "localhost")) {
            Worker.startRpcEnvAndEndpoint(
                    host,
                    0,
                    0,
                    1,
                    1024,
                    new String[] {address},
                    null,
                    Option.apply(number++),
                    settings,
                    Option.empty());
        }
        return address;
    }

    private static String run(SparkSession spark, String... words) throws Exception {
        return switch (words[1]) {
            case "client" -> String.join("; ", client(spark));
            case "write" ->
                write(spark, words[2], words[3], words[4], Long.parseLong(words[5]), Integer.parseInt(words[6]));
            case "read" -> read(spark, words[2], words[3]);
            case "pages" -> pages(spark, Path.of(words[2]));
            default -> throw new IllegalArgumentException("no command " + words[1]);
        };
    }

    private static List<String> client(SparkSession spark) {
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(List.of(0, 1), 2)
                .map(ClusterProgram::useClient)
                .collect();
    }

    private static String jar(Class<?> type) {
        String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Uses the services in an executor, and returns the jars of some libraries that it had. */
    private static String useClient(int task) throws IOException {
        try (Stowline storage = Stowline.connect(System.getenv(ACCOUNT))) {
            Table<Entity> table = storage.table("client" + task);
            table.createIfMissing();
            try (TableWriter<Entity> writer = table.writer()) {
                for (int i = 0; i < 250; i++) {
                    writer.insertOrReplace(
                            Entity.builder("p", "row" + i).set("number", i).build());
                }
            }
            int rows = table.query().list().size();
            BlobContainer container = storage.container("client" + task);
            container.createIfMissing();
            byte[] content = new byte[9 << 20];
            container.upload(content, "blob", with -> with.overwrite());
            int bytes = container.download("blob").length;
            SslContextBuilder.forClient().build();
            return rows + " rows, " + bytes + " bytes, "
                    + Stream.of(ByteBuf.class, SslContext.class, ObjectMapper.class, HttpClient.class)
                            .map(ClusterProgram::jar)
                            .collect(Collectors.joining(" "));
        }
    }

    /** Writes numbered rows of eight partitions by four tasks. */
    private static String write(
            SparkSession spark, String variable, String table, String mode, long rows, int rowsPerSecond) {
        var writer = spark.range(0, rows, 1, 4)
                .selectExpr(
                        "concat('p', id % 8) as PartitionKey",
                        "lpad(cast(id as string), 8, '0') as RowKey", "id as number", "repeat('x', 100) as text")
                .write()
                .format("azuretable")
                .option("connectionStringEnv", variable)
                .option("table", table)
                .option("writeMode", mode)
                .option("createTable", variable.equals(ACCOUNT));
        if (rowsPerSecond > 0) {
            writer.option("entitiesPerSecond", rowsPerSecond);
        }
        writer.mode("append").save();
        return rows + " rows";
    }

    private static String read(SparkSession spark, String variable, String table) {
        Dataset<Row> rows = spark.read()
                .format("azuretable")
                .option("connectionStringEnv", variable)
                .option("table", table)
                .option("partitions", 4)
                .load()
                .where("PartitionKey >= 'p1' and number >= 0");
        rows.explain(true);
        Row sums = rows.selectExpr("count(*)", "sum(number)", "count(distinct RowKey)")
                .head();
        return sums.getLong(0) + " rows, sum " + sums.getLong(1) + ", distinct " + sums.getLong(2);
    }

    /** Saves the pages of Spark's UI as JSON, and its environment as HTML. */
    private static String pages(SparkSession spark, Path folder) throws IOException, InterruptedException {
        String ui = spark.sparkContext().uiWebUrl().get();
        String application = ui + "/api/v1/applications/" + spark.sparkContext().applicationId();
        int number = 0;
        for (String page : List.of(
                application + "/sql?details=true&planDescription=true&length=1000",
                application + "/environment",
                application + "/stages?details=true",
                application + "/jobs",
                application + "/executors",
                ui + "/environment/",
                ui + "/SQL/")) {
            HttpResponse<String> response = java.net.http.HttpClient.newBuilder()
                    .followRedirects(java.net.http.HttpClient.Redirect.NORMAL)
                    .build()
                    .send(HttpRequest.newBuilder(URI.create(page)).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(page + " has status " + response.statusCode());
            }
            Files.writeString(folder.resolve("page" + number++ + ".txt"), response.body());
        }
        return number + " pages";
    }
}
