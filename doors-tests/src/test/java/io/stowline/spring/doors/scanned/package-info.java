/** An application that imports its typed beans on a configuration that a scan finds, and the slices of Spring Boot over it. */
package io.stowline.spring.doors.scanned;
