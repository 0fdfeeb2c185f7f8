package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CsvTextTest {

    @Property(tries = 1_000)
    void recordsComeBack(@ForAll("records") List<List<String>> records) throws IOException {
        StringBuilder file = new StringBuilder();
        records.forEach(record -> file.append(CsvText.record(record)));
        RowSplitter rows = new RowSplitter(
                new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8)),
                RowSplitter.RowForm.RECORDS);

        for (List<String> record : records) {
            FileRow row = rows.next();
            assertThat(row).isNotNull();
            assertThat(CsvText.fields(row.shown())).isEqualTo(record);
        }
        assertThat(rows.next()).isNull();
    }

    @Provide
    Arbitrary<List<List<String>>> records() {
        Arbitrary<String> field = Arbitraries.strings()
                .withChars('a', ' ', ',', '"', '\n', 'ä')
                .ofMaxLength(6)
                .injectNull(0.2);
        return field.list().ofMinSize(2).ofMaxSize(5).list().ofMaxSize(6);
    }

    @Test
    void brokenQuotesAreErrors() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CsvText.fields("a,\"b"))
                .withMessageContaining("field 2: its quote is not closed");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CsvText.fields("\"a\"b,c"))
                .withMessageContaining("follows the closing quote");
    }
}
