package io.stowline.spring.doors;

import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.spring.boot.batch.TableItemReader;
import io.stowline.spring.boot.batch.TableItemWriter;
import io.stowline.table.Table;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.listener.ChunkListener;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A program that copies the rows of one table to another one by a job of Spring Batch, and prints each row that it processes. At a chosen moment
 * it prints {@code stopped} and does nothing more, to be killed there.
 */
final class CopyJob {

    static final int CHUNK = 100;
    static final int PAGE = 80;

    private CopyJob() {}

    /** A row of both tables. */
    record Row(@PartitionKey String part, @RowKey String key, int number) {}

    /** A moment at which the program stops. */
    enum Moment {
        /** Within a chunk: the given number of rows is processed. */
        PROCESSED,
        /** The rows of the given number of chunks are written, the last of them without its commit. */
        WRITTEN,
        /** The given number of chunks is committed, as far as the listener of the step sees it. */
        COMMITTED,
        NEVER
    }

    /** The repository of the job in a file. */
    @Configuration(proxyBeanMethods = false)
    @EnableBatchProcessing
    @EnableJdbcJobRepository
    static class Jobs {

        @Bean
        DataSource dataSource() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL(System.getProperty("copy.database"));
            return database;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database);
        }
    }

    /** Counts moments, and stops at the chosen one. */
    private record Stop(Moment moment, int count, int[] seen) {

        void at(Moment reached) {
            if (reached == moment && ++seen[0] == count) {
                System.out.println("stopped");
                while (true) {
                    LockSupport.park();
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("copy.database", args[3]);
        Stop stop = new Stop(Moment.valueOf(args[1]), Integer.parseInt(args[2]), new int[1]);
        try (Stowline client = Stowline.connect(args[0]);
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Jobs.class)) {
            JobRepository repository = context.getBean(JobRepository.class);
            JobOperator operator = context.getBean(JobOperator.class);
            for (JobExecution killed : repository.findRunningJobExecutions("copying")) {
                operator.recover(killed);
            }
            Job job = job(
                    repository,
                    client.table("original", Row.class),
                    TableItemWriter.of(client.table("copied", Row.class)),
                    stop);
            System.out.println(operator.start(job, new JobParameters()).getStatus());
        }
    }

    private static Job job(JobRepository repository, Table<Row> source, ItemWriter<Row> writer, Stop stop) {
        return new JobBuilder("copying", repository)
                .start(new StepBuilder("copy", repository)
                        .<Row, Row>chunk(CHUNK)
                        .reader(TableItemReader.of("rows", source.query().pageSize(PAGE)))
                        .processor(row -> {
                            System.out.println("row " + row.number());
                            stop.at(Moment.PROCESSED);
                            return row;
                        })
                        .writer(chunk -> {
                            writer.write(chunk);
                            stop.at(Moment.WRITTEN);
                        })
                        .listener(new ChunkListener<Row, Row>() {
                            @Override
                            public void beforeChunk(Chunk<Row> chunk) {
                                stop.at(Moment.COMMITTED);
                            }
                        })
                        .build())
                .build();
    }
}
