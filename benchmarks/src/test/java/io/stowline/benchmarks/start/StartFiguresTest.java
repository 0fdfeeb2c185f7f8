package io.stowline.benchmarks.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.start.StartContender.LoadedClass;
import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartFiguresTest {

    @Test
    void countsFieldsBehindTheName() {
        assertThat(StartFigures.cpuMillis(
                        "42 (java (1) x) S 1 2 3 4 5 6 7 8 9 10 120 17 0 0 20 0 21 0 300 4000 50 18446744073709551615"))
                .isEqualTo(1370);
    }

    @Test
    void readsThePeakOfMemory() {
        assertThat(StartFigures.peakKilobytes("Name:\tjava\nVmPeak:\t  9 kB\nVmHWM:\t  112676 kB\nVmRSS:\t 5 kB\n"))
                .isEqualTo(112_676);
        assertThat(StartFigures.peakKilobytes("Name:\tjava\n")).isZero();
    }

    @Test
    void takesTheMiddleOfTheRounds() {
        List<StartFigures> rounds = List.of(figures(5), figures(1), figures(3), figures(2));

        assertThat(StartCost.median(rounds, StartFigures::cpuMillis)).isEqualTo(2.5);
        assertThat(StartCost.median(rounds.subList(0, 3), StartFigures::cpuMillis))
                .isEqualTo(3);
    }

    private static StartFigures figures(double cpu) {
        return new StartFigures(cpu, 0, 0);
    }

    @Test
    void readsTheLogOfClasses() {
        List<LoadedClass> classes = StartContender.loaded(List.of(
                "[class,load] java.lang.Object source: shared objects file",
                "[class,load] a.B$$Lambda$14/0x0000000800c03000 source: a.B",
                "[class,load] io.stowline.Stowline source: file:/lib/stowline-client.jar",
                "[class,load] java.lang.invoke.LambdaForm$MH/0x00007f89c1008000 source: __JVM_LookupDefineClass__",
                "inserted"));

        assertThat(classes)
                .extracting(LoadedClass::name)
                .containsExactly(
                        "java.lang.Object", "a.B$$Lambda$14", "io.stowline.Stowline", "java.lang.invoke.LambdaForm$MH");
        assertThat(classes).extracting(LoadedClass::isShared).containsExactly(true, false, false, false);
        assertThat(classes).extracting(LoadedClass::isGenerated).containsExactly(false, true, false, true);
    }

    @Test
    void leavesOutWhatNoClientNeedsAndPutsNettyLast() {
        String given = String.join(
                File.pathSeparator,
                "lib/netty-common-4.2.jar",
                "lib/logback-core.jar",
                "lib/azure-core.jar",
                "lib/micrometer-core.jar",
                "lib/stowline-client.jar");

        assertThat(StartContender.asApplicationsHaveIt(given))
                .isEqualTo(String.join(
                        File.pathSeparator,
                        "lib/azure-core.jar",
                        "lib/stowline-client.jar",
                        "lib/netty-common-4.2.jar"));
    }
}
