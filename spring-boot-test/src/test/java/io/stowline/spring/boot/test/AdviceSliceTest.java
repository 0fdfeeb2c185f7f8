package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.advisor.Advisor;
import io.stowline.advisor.Severity;
import io.stowline.advisor.StowlineAdvice;
import io.stowline.projection.filter.Filter;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.table.Table;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@StowlineTest(properties = "stowline.advisor.min-samples=1")
class AdviceSliceTest {

    @Autowired
    Table<Runner> runners;

    @Autowired
    Advisor advisor;

    @Test
    void assertsOnTheAdviceOfTheSlice() {
        for (int i = 0; i < 10; i++) {
            runners.query()
                    .partition("2026")
                    .where(Filter.rowKey().equalTo("1"))
                    .list();
        }

        assertThatCode(() -> StowlineAdvice.assertNone(advisor.report(), Severity.ERROR))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> StowlineAdvice.assertNone(advisor.report(), Severity.ADVICE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ADVICE T7");
    }
}
