package io.stowline.spring.doors.scanned;

import io.stowline.spring.doors.scanned.ScannedApplication.Runner;
import io.stowline.table.Table;
import org.springframework.stereotype.Service;

/** A component that the scan of the application finds. */
@Service
record Registrations(Table<Runner> runners) {}
