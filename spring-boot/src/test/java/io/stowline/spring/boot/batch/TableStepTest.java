package io.stowline.spring.boot.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.configuration.annotation.StepScope;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.partition.Partitioner;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.builder.ChunkOrientedStepBuilder;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Steps of Spring Batch from a table of one account to a table of another one: restarts, skips and what stays after a failed chunk. */
class TableStepTest {

    private static final int ROWS = 57;
    private static final int CHUNK = 10;

    private final MemoryStorage main = MemoryStorage.create();
    private final MemoryStorage further = MemoryStorage.create();
    private Stowline mainClient;
    private Stowline furtherClient;
    private AnnotationConfigApplicationContext context;
    private Table<Row> source;
    private Table<Row> target;
    private final List<Row> processed = new ArrayList<>();

    /** A repository of jobs in a database in memory. */
    @Configuration(proxyBeanMethods = false)
    @EnableBatchProcessing
    @EnableJdbcJobRepository
    static class Jobs {

        @Bean
        DataSource dataSource() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            new ResourceDatabasePopulator(new ClassPathResource("org/springframework/batch/core/schema-h2.sql"))
                    .execute(database);
            return database;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database);
        }
    }

    /** The reader and the writer of a worker, which are made for each of its steps. */
    @Configuration(proxyBeanMethods = false)
    static class Workers {

        @Bean
        @StepScope
        TableItemReader<Row> reader(
                @Qualifier("sourceTable") Table<Row> source,
                @Value("#{stepExecution.executionContext}") ExecutionContext worker) {
            return TableItemReader.of(
                    "rows", TablePartitions.narrow(source.query().pageSize(CHUNK), worker));
        }

        @Bean
        @StepScope
        TableItemWriter<Row> writer(@Qualifier("targetTable") Table<Row> target) {
            return TableItemWriter.of(target);
        }
    }

    @BeforeEach
    void open() {
        mainClient = Row.client(main);
        furtherClient = Row.client(further);
        source = Row.table(mainClient, "source", ROWS);
        target = Row.table(furtherClient, "target", 0);
        context = new AnnotationConfigApplicationContext();
        context.registerBean("sourceTable", Table.class, () -> source);
        context.registerBean("targetTable", Table.class, () -> target);
        context.register(Jobs.class, Workers.class);
        context.refresh();
    }

    @AfterEach
    void close() {
        context.close();
        mainClient.close();
        furtherClient.close();
    }

    private ChunkOrientedStepBuilder<Row, Row> step(TableItemWriter<Row> rows) {
        return new StepBuilder("copy", context.getBean(JobRepository.class))
                .<Row, Row>chunk(CHUNK)
                .reader(TableItemReader.of("rows", source.query().pageSize(CHUNK)))
                .writer(rows);
    }

    private StepExecution run(ChunkOrientedStepBuilder<Row, Row> step) throws Exception {
        JobExecution execution = context.getBean(JobOperator.class)
                .start(
                        new JobBuilder("copying", context.getBean(JobRepository.class))
                                .start(step.build())
                                .build(),
                        new JobParameters());
        return execution.getStepExecutions().iterator().next();
    }

    @Test
    void goesOnAfterAFailureAndProcessesNoRowOfACommittedChunkAgain() throws Exception {
        StepExecution failed = run(step(TableItemWriter.of(target)).processor(row -> {
            if (processed.size() == 34) {
                throw new IllegalStateException("as the test has planned");
            }
            processed.add(row);
            return row;
        }));
        assertThat(failed.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(target.query().list()).hasSize(30);

        StepExecution again = run(step(TableItemWriter.of(target)).processor(row -> {
            processed.add(row);
            return row;
        }));

        assertThat(again.getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(again.getReadCount()).isEqualTo(ROWS - 30);
        assertThat(target.query().list()).isEqualTo(source.query().list());
        assertThat(processed).hasSize(ROWS + 4);
        assertThat(main.requests()).noneMatch(request -> request.contains("/target"));
        assertThat(further.requests()).noneMatch(request -> request.contains("/source"));
    }

    @Test
    void aMissingTargetFailsTheStepAndARestartWritesTheChunkAgain() throws Exception {
        target.drop();
        StepExecution failed = run(step(TableItemWriter.of(target)));
        assertThat(failed.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(failed.getFailureExceptions()).singleElement().satisfies(failure -> assertThat(failure)
                .hasStackTraceContaining("items are not written: "));

        target.create();
        assertThat(run(step(TableItemWriter.of(target))).getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(target.query().list()).isEqualTo(source.query().list());
    }

    @Test
    void aSkipRuleSeesTheFailureOfARow() throws Exception {
        StepExecution step = run(step(TableItemWriter.of(target))
                .processor(row -> row.number() % 20 == 7 ? new Row("a/b", row.key(), row.number()) : row)
                .faultTolerant()
                .skip(IllegalArgumentException.class)
                .skipLimit(10));

        assertThat(step.getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(step.getWriteSkipCount()).isEqualTo(3);
        assertThat(target.query().list()).hasSize(ROWS - 3).noneMatch(row -> row.number() % 20 == 7);
    }

    @Test
    void deletesWhatItReads() throws Exception {
        StepExecution step = run(step(TableItemWriter.deleting(source)));

        assertThat(step.getWriteCount()).isEqualTo(ROWS);
        assertThat(source.query().list()).isEmpty();
    }

    @Test
    @SuppressWarnings("unchecked") // beans by their classes
    void workersOfAPartitionedStepReadTheirRanges() throws Exception {
        JobRepository jobs = context.getBean(JobRepository.class);
        Partitioner partitioner = gridSize -> TablePartitions.of(mainClient, "source", gridSize);
        Step worker = new StepBuilder("worker", jobs)
                .<Row, Row>chunk(CHUNK)
                .reader(context.getBean(TableItemReader.class))
                .writer(context.getBean(TableItemWriter.class))
                .build();
        JobExecution execution = context.getBean(JobOperator.class)
                .start(
                        new JobBuilder("partitioned", jobs)
                                .start(new StepBuilder("all", jobs)
                                        .partitioner("range", partitioner)
                                        .step(worker)
                                        .gridSize(3)
                                        .taskExecutor(new SimpleAsyncTaskExecutor())
                                        .build())
                                .build(),
                        new JobParameters());

        assertThat(execution.getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(execution.getStepExecutions()).hasSizeGreaterThan(2);
        assertThat(target.query().list()).isEqualTo(source.query().list());
    }
}
