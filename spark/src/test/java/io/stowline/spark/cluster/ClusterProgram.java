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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import reactor.netty.http.client.HttpClient;

/** The application of a test's cluster. It takes one command in each line of its input, and prints the end of each. */
public final class ClusterProgram {

    static final String PREFIX = "command ";

    /** The environment variable with the account. */
    static final String ACCOUNT = "STOWLINE_SPARK_ACCOUNT";

    private ClusterProgram() {}

    /** Takes commands until its input ends. */
    public static void main(String[] args) throws IOException {
        try (SparkSession spark = SparkSession.builder().appName("cluster").getOrCreate()) {
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

    private static String run(SparkSession spark, String... words) throws Exception {
        return switch (words[1]) {
            case "client" -> String.join("; ", client(spark));
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
}
