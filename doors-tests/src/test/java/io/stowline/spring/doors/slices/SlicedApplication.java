package io.stowline.spring.doors.slices;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.repository.TableRepository;
import io.stowline.spring.boot.web.EntityTag;
import io.stowline.table.Table;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** An application of two accounts with a controller. */
@SpringBootApplication
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "5m")
@Import(SlicedApplication.Storage.class)
public class SlicedApplication {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    interface Runners extends TableRepository<Runner> {}

    static class Storage extends StowlineBeans {
        @Override
        protected void declare() {
            table("runners", Runner.class);
            queue("orders");
            container("photos");
            repository("registrations", Runners.class);
            account("archive").table("runners", Runner.class);
        }
    }

    /** Takes the beans at its first request, so that slices without controllers need none. */
    @RestController
    static class RunnerController {

        private final ObjectProvider<Table<Runner>> runners;
        private final ObjectProvider<Table<Runner>> archived;

        RunnerController(
                ObjectProvider<Table<Runner>> runners,
                @Qualifier("archiveRunners") ObjectProvider<Table<Runner>> archived) {
            this.runners = runners;
            this.archived = archived;
        }

        @GetMapping("/runners/{race}/{bib}")
        ResponseEntity<Runner> get(@PathVariable String race, @PathVariable String bib) {
            return EntityTag.ok(runners.getObject().find(race, bib));
        }

        @GetMapping("/archive/{race}/{bib}")
        ResponseEntity<Runner> archived(@PathVariable String race, @PathVariable String bib) {
            return EntityTag.ok(archived.getObject().find(race, bib));
        }
    }
}
